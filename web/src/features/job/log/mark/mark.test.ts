import { describe, expect, it } from "vitest";
import type { Row } from "../text/lines";
import { isMarked, lineNumber, lineOf, markAfter, whyMissing } from "./mark";

const row = (offset: number, isMid = false): Row => ({
  offset,
  end: offset + 10,
  spans: [],
  isMid,
  isCut: false,
});

describe("what is marked after a click on a line", () => {
  it("is that line", () => {
    expect(markAfter(null, null, row(20), false)).toEqual({ at: 20, to: 20 });
    expect(markAfter({ at: 0, to: 40 }, 0, row(20), false)).toEqual({ at: 20, to: 20 });
  });
  it("is nothing where it was marked alone", () => {
    expect(markAfter({ at: 20, to: 20 }, 20, row(20), false)).toBeNull();
  });
  it.each([
    [40, { at: 20, to: 40 }],
    [0, { at: 0, to: 20 }],
    [20, { at: 20, to: 20 }],
  ])("is all between, with Shift on %i", (offset, marked) => {
    expect(markAfter({ at: 20, to: 30 }, 20, row(offset), true)).toEqual(marked);
  });
  it("is that line where none was clicked before", () => {
    expect(markAfter(null, null, row(20), true)).toEqual({ at: 20, to: 20 });
  });
});

it("a link may point into the middle of a line", () => {
  const marked = [0, 10, 20, 30].filter((offset) => isMarked(row(offset), { at: 14, to: 25 }));
  expect(marked).toEqual([10, 20]);
});

describe("a link to what is not there", () => {
  const cut = [100, 200] as const;
  it.each([
    [{ at: 120, to: 150 }, "markCut"],
    [{ at: 100, to: 100 }, "markCut"],
    [{ at: 90, to: 150 }, null],
    [{ at: 150, to: 200 }, null],
    [{ at: 300, to: 300 }, "markBehind"],
    [{ at: 299, to: 500 }, null],
  ])("%o: %s", (mark, why) => {
    expect(whyMissing(mark, { cut, size: 300 })).toBe(why);
  });
});

describe("the number of a line", () => {
  const rows = [row(0), row(10), row(20, true), row(30), row(200)];
  const known = { rows, firstLine: 1, cut: null, start: 0, end: 210 };
  it("is counted from the first, parts of long lines only once", () => {
    expect([0, 1, 2, 3].map((index) => lineNumber(known, index))).toEqual([1, 2, 2, 3]);
    expect(lineOf(known, 35)).toBe(3);
  });
  it("is not known behind a cut, where no line was counted, and for what is not in memory", () => {
    expect(lineNumber({ ...known, cut: [40, 200] }, 4)).toBeNull();
    expect(lineNumber({ ...known, firstLine: null }, 0)).toBeNull();
    expect(lineOf(known, 210)).toBeNull();
    expect(lineNumber({ ...known, rows: [] }, -1)).toBeNull();
  });
});
