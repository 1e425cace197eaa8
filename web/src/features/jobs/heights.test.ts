import { describe, expect, it } from "vitest";
import { gapAt, heightOf, indexAt, topOf } from "./heights";

const EVEN = { first: [], rest: 60 };
const LED = { first: [80, 100], rest: 40 };

describe("rows of which the first are higher", () => {
  it("begin below each other", () => {
    expect([0, 1, 2, 3].map((index) => topOf(LED, index))).toEqual([0, 80, 180, 220]);
    expect([0, 1, 2].map((index) => heightOf(LED, index))).toEqual([80, 100, 40]);
    expect(topOf(EVEN, 5)).toBe(300);
  });

  it("are found by how far down they are", () => {
    for (const index of [0, 1, 2, 3, 9]) {
      expect(indexAt(LED, topOf(LED, index))).toBe(index);
      expect(indexAt(LED, topOf(LED, index) + heightOf(LED, index) - 1)).toBe(index);
    }
  });

  it("have the gap nearest to the pointer", () => {
    expect([-50, 29, 31, 9999].map((y) => gapAt(EVEN, y, 5))).toEqual([0, 0, 1, 5]);
    expect([39, 41, 129, 131, 201].map((y) => gapAt(LED, y, 9))).toEqual([0, 1, 1, 2, 3]);
  });
});
