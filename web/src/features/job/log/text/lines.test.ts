// @vitest-environment node
import { describe, expect, test } from "vitest";
import { LineReader, LONGEST_LINE, type Row } from "./lines";

const encoder = new TextEncoder();

function readAll(pieces: Uint8Array[], offset = 0): Row[] {
  const reader = new LineReader(offset);
  const finished = pieces.flatMap((piece) => reader.push(piece));
  return [...finished, ...reader.open()];
}

function texts(log: string): string[] {
  return readAll([encoder.encode(log)]).map(textOf);
}

function textOf(row: Row): string {
  return row.spans.map(({ text }) => text).join("");
}

/** Random numbers that are the same in every run. */
function* chances(seed: number): Generator<number, never> {
  let state = seed;
  while (true) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state / 2147483648;
  }
}

describe("rows", () => {
  test("are lines, with or without a last newline", () => {
    expect(texts("one\ntwo\r\n\nthree")).toEqual(["one", "two", "", "three"]);
    expect(texts("")).toEqual([]);
  });

  test("know their bytes, wide characters too", () => {
    const rows = readAll([encoder.encode("丹炉\nab\n")], 100);
    expect(rows.map(({ offset, end }) => [offset, end])).toEqual([
      [100, 107],
      [107, 110],
    ]);
  });

  test("show the last state of a progress bar", () => {
    expect(texts("\r 10%|#   |\r 50%|##  |\r100%|####|\ndone\n")).toEqual(["100%|####|", "done"]);
    expect(texts("loading...\rok\n")).toEqual(["okading..."]);
    expect(texts("loading...\r\x1b[Kok\n")).toEqual(["ok"]);
    expect(texts("loading...\x1b[2K\rok\n")).toEqual(["ok"]);
    expect(texts("12345\b\b\bX\n")).toEqual(["12X45"]);
    expect(texts("进度 10%\r进度 99%\n")).toEqual(["进度 99%"]);
  });

  test("of several bars at once are drawn where they belong", () => {
    const inner = (percent: number) => `\n\rinner ${percent}%\x1b[A`;
    const log = `\router 0%${inner(10)}${inner(90)}\router 1%${inner(5)}\n\nend\n`;
    expect(texts(log)).toEqual(["outer 1%", "inner 5%%", "end"]);
  });

  test("carry colours from line to line and drop what is no text", () => {
    const rows = readAll([encoder.encode("\x1b[31mred\nstill\x1b[0m not\x07\n\x1b]0;title\x07x\n")]);
    expect(rows.map(textOf)).toEqual(["red", "still not", "x"]);
    expect(rows[1]?.spans.map(({ style }) => style.fg)).toEqual([1, undefined]);
  });

  test("are cut and broken when a line is far too long", () => {
    const rows = readAll([encoder.encode(`${"x".repeat(LONGEST_LINE + 10)}\nshort\n`)]);
    expect(rows.map(({ isCut, isMid }) => [isCut, isMid])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
    expect(rows.map(({ offset }) => offset)).toEqual([0, LONGEST_LINE, LONGEST_LINE + 11]);
  });

  test("are the same however the bytes come in", () => {
    const parts = [
      "α",
      "丹炉",
      "😀",
      "\r",
      "\n",
      "\b",
      "\x1b[3",
      "1m",
      "\x1b[0m",
      "\x1b[K",
      "\x1b[A",
      "\t",
      "text",
      "é\xff",
    ];
    for (let seed = 1; seed <= 28; seed += 1) {
      const chance = chances(seed);
      const log = Array.from(
        { length: 80 },
        () => parts[Math.floor(chance.next().value * parts.length)],
      ).join("");
      const bytes = encoder.encode(log + "y".repeat(seed % 7 === 0 ? LONGEST_LINE : 0) + log);
      const pieces: Uint8Array[] = [];
      for (let from = 0; from < bytes.length; ) {
        const length = 1 + Math.floor(chance.next().value ** 4 * (seed % 2 ? 12 : 50_000));
        pieces.push(bytes.subarray(from, from + length));
        from += length;
      }
      expect(readAll(pieces)).toEqual(readAll([bytes]));
    }
  });
});
