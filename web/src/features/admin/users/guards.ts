/** What an administrator is warned of, or kept from, before a user is changed. The server refuses the latter too. */
import type { UserRow } from "@/lib/api/schema";

export type Guard = "lastAdmin" | "yourself" | null;

type Known = Pick<UserRow, "name" | "role" | "locked">;

/** Whether `user` would stop being an administrator who can sign in, and whose business that is. */
export function guardOf(
  user: Known,
  after: Partial<Pick<UserRow, "role" | "locked">>,
  me: string,
  users: readonly Known[],
): Guard {
  const wasAdmin = user.role === "admin" && !user.locked;
  const staysAdmin = (after.role ?? user.role) === "admin" && !(after.locked ?? user.locked);
  if (wasAdmin && !staysAdmin) {
    const others = users.filter(
      ({ name, role, locked }) => name !== user.name && role === "admin" && !locked,
    );
    if (others.length === 0) return "lastAdmin";
    return user.name === me ? "yourself" : null;
  }
  return null;
}

const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}._-]*$/u;

export function problemOfName(
  name: string,
  taken: readonly string[],
): "nameMissing" | "nameWrong" | "nameTaken" | null {
  if (!name) return "nameMissing";
  if (!NAME.test(name)) return "nameWrong";
  return taken.includes(name) ? "nameTaken" : null;
}

/** Those whose name, role or account has the text in it. */
export function matching<U extends Pick<UserRow, "name" | "role" | "unix_account">>(
  users: readonly U[],
  text: string,
  roleWord: (role: UserRow["role"]) => string,
): U[] {
  const wanted = text.trim().toLowerCase();
  return users.filter(({ name, role, unix_account }) =>
    [name, role, roleWord(role), unix_account ?? ""].some((each) => each.toLowerCase().includes(wanted)),
  );
}
