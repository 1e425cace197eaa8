import { describe, expect, it } from "vitest";
import { amountOf } from "./amount";
import { LineReader } from "./text/lines";

function rowsOf(text: string) {
  const reader = new LineReader(0);
  return [...reader.push(new TextEncoder().encode(text)), ...reader.open()];
}

const known = { rows: rowsOf("one\ntwo\nthr"), start: 0, end: 11, size: 11, cut: null, unread: null };

describe("how much there is of a log", () => {
  it("is counted in lines where all of it is in memory, a last one without its end among them", () => {
    expect(amountOf(known, { top: 0, bottom: 11 })).toEqual({ kind: "lines", lines: 3 });
  });
  it("counts what came while the view stands still", () => {
    const more = { ...known, size: 30, unread: { end: 30, lines: 4 } };
    expect(amountOf(more, { top: 0, bottom: 11 })).toEqual({ kind: "lines", lines: 7 });
  });
  it.each([
    [0, 100, "first", 0],
    [500, 600, "middle", 50],
    [900, 1000, "last", 90],
  ] as const)("says which part is in view: %i to %i", (top, bottom, kind, percent) => {
    const part = { ...known, start: 0, end: 700, size: 1000 };
    expect(amountOf(part, { top, bottom })).toEqual({ kind, shown: 100, percent });
  });
  it("does not count the lines of a log that was cut", () => {
    expect(amountOf({ ...known, cut: [4, 8] }, { top: 0, bottom: 11 }).kind).toBe("last");
  });
});
