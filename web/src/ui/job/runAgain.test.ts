// @vitest-environment node
import { expect, test } from "vitest";
import { waysToRunAgain } from "./runAgain";

test("a job that has ended runs again under either number, the new one first", () => {
  expect(waysToRunAgain({ state: "failed" })).toEqual(["asNew", "asNewChanged", "asSame", "asSameChanged"]);
  expect(waysToRunAgain({ state: "cancelled", index: null, array: null })).toHaveLength(4);
});

test("one that has not ended keeps its number", () => {
  expect(waysToRunAgain({ state: "running" })).toEqual(["asNew", "asNewChanged"]);
  expect(waysToRunAgain({ state: "waiting" })).toEqual(["asNew", "asNewChanged"]);
});

test("an array runs again as a new one, and its elements only with it", () => {
  const array = { total: 4, waiting: 0, active: 0, succeeded: 4, failed: 0, cancelled: 0 };
  expect(waysToRunAgain({ state: "succeeded", array })).toEqual(["asNew", "asNewChanged"]);
  expect(waysToRunAgain({ state: "succeeded", index: 0 })).toEqual([]);
});
