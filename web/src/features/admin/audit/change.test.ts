import { expect, it } from "vitest";
import { changesOf, detailsOf } from "./change";

it("values that changed stand side by side", () => {
  expect(changesOf({ before: { role: "member", mentor: null }, after: { role: "mentor" } })).toEqual([
    { name: "role", before: "member", after: "mentor" },
    { name: "mentor", before: "–", after: "–" },
  ]);
  expect(changesOf({ before: "running", after: "stopping" })).toEqual([
    { name: "", before: "running", after: "stopping" },
  ]);
  expect(changesOf({ before: null, after: null })).toEqual([]);
});

it("what is empty is not shown", () => {
  expect(detailsOf({ details: { reason: "wrong_password", not_written: 0, change: ["role"] } })).toEqual([
    ["reason", "wrong_password"],
    ["change", "role"],
  ]);
});
