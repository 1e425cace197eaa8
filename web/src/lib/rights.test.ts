import { expect, test } from "vitest";
import { maySubmit } from "./rights";

test.each([
  ["member", true],
  ["mentor", true],
  ["admin", true],
  ["viewer", false],
] as const)("a %s may submit: %s", (role, may) => {
  expect(maySubmit({ role })).toBe(may);
});
