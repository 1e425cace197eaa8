import { expect, test } from "vitest";
import { fromField, stateOf, toField } from "./times";

test("a notice is planned, shown, then over", () => {
  const notice = { begins_at: 100, ends_at: 200 };
  expect([50, 100, 199, 200].map((now) => stateOf(notice, now))).toEqual([
    "planned",
    "shown",
    "shown",
    "over",
  ]);
  expect(stateOf({ begins_at: 100, ends_at: null }, 1e9)).toBe("shown");
});

test("a time goes into the field and comes back to the minute", () => {
  const at = 1_800_000_000;
  expect(fromField(toField(at))).toBe(at - (at % 60));
  expect(toField(null)).toBe("");
  expect(fromField("")).toBeNull();
});
