// @vitest-environment node
import { expect, test } from "vitest";
import { actionsFor, permitted } from "./actions";

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

test("a mentor stops a job and changes nothing, a viewer does neither", () => {
  const all = actionsFor({ state: "waiting" });
  expect(permitted(all, ["read", "stop", "change"])).toEqual(all);
  expect(permitted(all, ["read", "stop"])).toEqual(["hold", "cancel"]);
  expect(permitted(["kill", "release", "delete"], ["read", "stop"])).toEqual(["kill", "release"]);
  expect(permitted(all, ["read"])).toEqual([]);
  expect(permitted(all, undefined)).toEqual([]);
});
