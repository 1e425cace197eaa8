// @vitest-environment node
import { expect, test } from "vitest";
import { edgeX, neighboursOf } from "./graph";

test("a few neighbours each way, the strict ones first, the others counted", () => {
  const drawn = neighboursOf({ after: [4, 5], after_ok: [1, 2], successors: [7, 8, 9, 10, 11] });
  expect(drawn.before.map(({ id, edge }) => [id, edge])).toEqual([
    [1, "ok"],
    [2, "ok"],
    [4, "any"],
  ]);
  expect([drawn.moreBefore, drawn.after.length, drawn.moreAfter]).toEqual([1, 3, 2]);
});

test("boxes stand side by side", () => {
  expect(edgeX(0, 1)).toBe(50);
  expect([0, 1].map((at) => edgeX(at, 2))).toEqual([25, 75]);
});
