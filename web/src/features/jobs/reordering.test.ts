import { describe, expect, it } from "vitest";
import { gapAt, movesFrom, placeAfter, placeOf } from "./reordering";

describe("where a job goes", () => {
  it("into the gap nearest to the pointer", () => {
    expect(gapAt(-50, 60, 5)).toBe(0);
    expect(gapAt(29, 60, 5)).toBe(0);
    expect(gapAt(31, 60, 5)).toBe(1);
    expect(gapAt(9999, 60, 5)).toBe(5);
  });

  it("counts its own place out when it goes down", () => {
    expect(placeAfter(1, 4)).toBe(3);
    expect(placeAfter(3, 1)).toBe(1);
    expect(placeAfter(2, 2)).toBe(2);
    expect(placeAfter(2, 3)).toBe(2);
  });

  it("only where there is somewhere to go", () => {
    expect(movesFrom(0, 3, false)).toEqual(["down", "toBottom"]);
    expect(movesFrom(1, 3, false)).toEqual(["toTop", "up", "down", "toBottom"]);
    expect(movesFrom(2, 3, false)).toEqual(["toTop", "up"]);
    expect(movesFrom(2, 3, true)).toEqual(["toTop", "up", "down", "toBottom"]);
    expect(movesFrom(0, 1, false)).toEqual([]);
  });

  it("by name", () => {
    expect(placeOf("toTop", 3, 9)).toBe(0);
    expect(placeOf("up", 3, 9)).toBe(2);
    expect(placeOf("down", 3, 9)).toBe(4);
    expect(placeOf("toBottom", 3, 9)).toBe(8);
  });
});
