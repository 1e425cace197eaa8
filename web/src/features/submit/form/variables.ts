/** The variables and the tags of a job as rows of the form. Pure. */
export interface Variable {
  name: string;
  value: string;
}

export interface BadVariable {
  place: number;
  name: string;
  why: "unnamed" | "misnamed" | "twice" | "valueless";
}

const NAMES = {
  variables: /^[A-Za-z_][A-Za-z0-9_]*$/,
  tags: /^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u,
};
export type PairsName = keyof typeof NAMES;

/** The first row that cannot be meant so. One whose name has yet to be typed says nothing; with a value it is unfinished. */
export function findBadVariable(field: PairsName, rows: readonly Variable[]): BadVariable | null {
  const seen = new Set<string>();
  for (const [place, row] of rows.entries()) {
    const name = row.name.trim();
    if (!name && !row.value) continue;
    if (!name) return { place, name, why: "unnamed" };
    if (!NAMES[field].test(name)) return { place, name, why: "misnamed" };
    if (field === "tags" && !row.value.trim()) return { place, name, why: "valueless" };
    if (seen.has(name)) return { place, name, why: "twice" };
    seen.add(name);
  }
  return null;
}
