import { describe, expect, it } from "vitest";
import { guardOf, matching, problemOfName } from "./guards";

const li = { name: "li", role: "admin", locked: false } as const;
const wang = { name: "wang", role: "admin", locked: true } as const;
const zhao = { name: "zhao", role: "member", locked: false } as const;

describe("changing a user", () => {
  it("is refused when no administrator would be left", () => {
    expect(guardOf(li, { role: "member" }, "li", [li, wang, zhao])).toBe("lastAdmin");
    expect(guardOf(li, { locked: true }, "zhao", [li, wang, zhao])).toBe("lastAdmin");
  });

  it("is warned of when one's own rights go", () => {
    const open = { ...wang, locked: false };
    expect(guardOf(li, { role: "viewer" }, "li", [li, open])).toBe("yourself");
    expect(guardOf(li, { locked: true }, "li", [li, open])).toBe("yourself");
    expect(guardOf(open, { locked: true }, "li", [li, open])).toBeNull();
  });

  it("is allowed otherwise", () => {
    expect(guardOf(li, { role: "admin" }, "li", [li])).toBeNull();
    expect(guardOf(wang, { role: "member" }, "li", [li, wang])).toBeNull();
    expect(guardOf(zhao, { locked: true }, "li", [li, zhao])).toBeNull();
  });
});

it.each([
  ["", "nameMissing"],
  ["-li", "nameWrong"],
  [".li", "nameWrong"],
  ["li wang", "nameWrong"],
  ["li/..", "nameWrong"],
  ["li", "nameTaken"],
  ["李雷", null],
  ["li.wang-2_x", null],
])("the name %j of a new user: %s", (name, problem) => {
  expect(problemOfName(name, ["li"])).toBe(problem);
});

it("users are found by name, role in words, and account", () => {
  const all = [
    { name: "Li", role: "admin", unix_account: null },
    { name: "wang", role: "member", unix_account: "gpu7" },
  ] as const;
  const word = (role: string) => (role === "admin" ? "管理员" : "成员");
  const names = (text: string) => matching(all, text, word).map(({ name }) => name);
  expect(names(" li ")).toEqual(["Li"]);
  expect(names("管理")).toEqual(["Li"]);
  expect(names("GPU7")).toEqual(["wang"]);
  expect(names("")).toEqual(["Li", "wang"]);
  expect(names("nobody")).toEqual([]);
});
