import { describe, expect, it } from "vitest";
import { applySgr, codesOf, PLAIN } from "../text/ansi";
import { LineReader, type Row } from "../text/lines";
import { countLines, readRows, sliceRow, textOf } from "./copy";

const encoder = new TextEncoder();

function rowsOf(text: string): Row[] {
  const reader = new LineReader(0);
  return [...reader.push(encoder.encode(text)), ...reader.open()];
}

const RED = "\u001b[31mred\u001b[0m and \u001b[1;38;5;200mbold\u001b[0m\n";

describe("what is copied of a log", () => {
  it("is its text, without what colours it", () => {
    expect(textOf(rowsOf(`${RED}\nlast`), "plain")).toBe("red and bold\n\nlast");
  });
  it("is its text with the codes that colour it, closed on each line", () => {
    const text = textOf(rowsOf(RED), "colours");
    expect(text).toBe("\u001b[31mred\u001b[0m and \u001b[1;38;5;200mbold\u001b[0m");
    expect(textOf(rowsOf("\u001b[32mtwo\nlines"), "colours")).toBe(
      "\u001b[32mtwo\u001b[0m\n\u001b[32mlines\u001b[0m",
    );
  });
  it("is what a terminal would show of a progress bar", () => {
    expect(textOf(rowsOf("10%\r50%\r100%\ndone\n"), "plain")).toBe("100%\ndone");
  });
  it.each(["", "1;4", "2;3;9", "7;8", "95", "44;97", "38;2;1;2;3", "48;5;17;38;5;240", "103"])(
    "is coloured as it was: %s",
    (codes) => {
      const style = applySgr(PLAIN, codes);
      expect(applySgr(PLAIN, codesOf(style))).toBe(style);
    },
  );
  it("is a part of a row, where only that is selected", () => {
    const row = rowsOf(RED)[0] as Row;
    expect(textOf([sliceRow(row, 1, 6)], "plain")).toBe("ed an");
    expect(textOf([sliceRow(row, 9, 99)], "colours")).toBe("\u001b[1;38;5;200mold\u001b[0m");
  });
  it("is read on past what was cut out, and counted in lines", async () => {
    const parts = [
      { offset: 0, bytes: encoder.encode("one\ntw"), size: 1000 },
      { offset: 990, bytes: encoder.encode("rest\nlast\n"), size: 1000 },
    ];
    const rows = await readRows(async (offset) => parts[offset < 6 ? 0 : 1] as (typeof parts)[0], 0, 1000);
    expect(textOf(rows, "plain")).toBe("one\ntw\nrest\nlast");
    expect(countLines(rows)).toBe(4);
  });
});
