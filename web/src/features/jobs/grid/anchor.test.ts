import { describe, expect, it } from "vitest";
import { newOnTop, shiftOf, successorOf } from "./anchor";

function places(text: string): Map<string, number> {
  return new Map([...text].map((ref, index) => [ref, index]));
}

describe("what is read stays where it is", () => {
  it("when rows come on top", () => {
    expect(shiftOf([..."abcde"], places("xyabcde"), 2)).toBe(2);
  });

  it("when rows above it go", () => {
    expect(shiftOf([..."abcde"], places("bcde"), 3)).toBe(-1);
  });

  it("by its neighbour, when it has gone itself", () => {
    expect(shiftOf([..."abcde"], places("xabde"), 2)).toBe(0);
    expect(shiftOf([..."abcde"], places("fgh"), 2)).toBe(0);
  });
});

describe("what is new on top", () => {
  it("is counted above the old first row", () => {
    expect(newOnTop([..."abc"], places("xyabc"))).toBe(2);
    expect(newOnTop([..."abc"], places("abxc"))).toBe(0);
  });

  it("also when the old first row has gone", () => {
    expect(newOnTop([..."abc"], places("xybc"))).toBe(1);
    expect(newOnTop([..."abc"], places("bc"))).toBe(0);
    expect(newOnTop([..."abc"], places("xyz"))).toBe(0);
  });
});

describe("the row with the focus", () => {
  it("keeps it, or hands it to the row in its place", () => {
    expect(successorOf([..."abc"], "b", 1)).toBe("b");
    expect(successorOf([..."acd"], "b", 1)).toBe("c");
    expect(successorOf([..."a"], "b", 1)).toBe("a");
    expect(successorOf([], "b", 1)).toBe(null);
  });
});
