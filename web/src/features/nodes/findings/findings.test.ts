import { expect, test } from "vitest";
import type { FindingRow } from "@/lib/api/schema";
import { inOrder, isOutOfUse, problemsOf } from "./findings";

function finding(check: string, level: FindingRow["level"]): FindingRow {
  return { check, level, code: "x", facts: {}, message: check };
}

test("the worst comes first, and the rest stays in order", () => {
  const found = [finding("a", "ok"), finding("b", "warning"), finding("c", "problem"), finding("d", "ok")];
  expect(inOrder(found).map(({ check }) => check)).toEqual(["c", "b", "a", "d"]);
});

test("a quarantine is a problem", () => {
  expect(problemsOf({ findings: [finding("a", "warning")], quarantine: "" })).toBe(0);
  expect(problemsOf({ findings: [finding("a", "problem")], quarantine: "it comes and goes" })).toBe(2);
});

test("a quarantine is lifted like a drain", () => {
  expect(isOutOfUse({ drained: false, quarantine: "" })).toBe(false);
  expect(isOutOfUse({ drained: true, quarantine: "" })).toBe(true);
  expect(isOutOfUse({ drained: false, quarantine: "it comes and goes" })).toBe(true);
});
