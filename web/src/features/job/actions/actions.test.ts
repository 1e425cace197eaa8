// @vitest-environment node
import { expect, test } from "vitest";
import { actionsFor, mayTouch } from "./actions";

test("what is offered fits the state", () => {
  expect(actionsFor({ state: "waiting" })).toEqual(["hold", "edit", "cancel", "delete"]);
  expect(actionsFor({ state: "held" })).toContain("release");
  expect(actionsFor({ state: "running" })).toEqual(["cancel"]);
  expect(actionsFor({ state: "stopping" })).toEqual(["kill"]);
  expect(actionsFor({ state: "failed" })).toEqual(["delete"]);
});

test("an element is only cancelled, the rest is for its array", () => {
  expect(actionsFor({ state: "running", index: 3 })).toEqual(["cancel"]);
  expect(actionsFor({ state: "stopping", index: 3 })).toEqual(["kill"]);
  expect(actionsFor({ state: "succeeded", index: 0 })).toEqual([]);
});

test("an array with elements under way is not deleted", () => {
  const array = { total: 4, waiting: 2, active: 1, succeeded: 1, failed: 0, cancelled: 0 };
  expect(actionsFor({ state: "waiting", array })).not.toContain("delete");
  expect(actionsFor({ state: "waiting", array })).toContain("cancel");
});

test("who only looks touches nothing", () => {
  expect(mayTouch({ mine: true }, { role: "viewer" })).toBe(false);
  expect(mayTouch({ mine: true }, { role: "member" })).toBe(true);
  expect(mayTouch({ mine: false }, { role: "member" })).toBe(false);
});
