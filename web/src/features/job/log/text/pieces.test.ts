// @vitest-environment node
import { describe, expect, test } from "vitest";
import { LineReader } from "./lines";
import { LogPieces, MOST_BYTES, PIECE, type ReadPiece, type Sight } from "./pieces";

const encoder = new TextEncoder();

class Log {
  bytes: Uint8Array;
  read = 0;
  constructor(text: string) {
    this.bytes = encoder.encode(text);
  }
  source: ReadPiece = async (offset, limit) => {
    const start = offset < 0 ? Math.max(0, this.bytes.length + offset) : offset;
    const bytes = this.bytes.slice(start, start + limit);
    this.read += bytes.length;
    return { offset: start, bytes, size: this.bytes.length };
  };
}

function open(text: string): { log: Log; pieces: LogPieces } {
  const log = new Log(text);
  return { log, pieces: new LogPieces(log.source, () => {}) };
}

function texts({ rows }: Sight): string[] {
  return rows.map(({ spans }) => spans.map(({ text }) => text).join(""));
}

const numbered = (count: number, more = "") =>
  Array.from({ length: count }, (_, n) => `line ${n} 丹炉${more}\n`).join("");

function isSideBySide({ rows, start, end }: Sight): boolean {
  return (
    rows.every((row, at) => row.offset === (at === 0 ? start : rows[at - 1]?.end)) && rows.at(-1)?.end === end
  );
}

describe("pieces of a log", () => {
  test("of a short one are all of it", async () => {
    const { pieces } = open("a\nb\nc");
    await pieces.openEnd();
    expect(texts(pieces.sight)).toEqual(["a", "b", "c"]);
    expect([pieces.atStart, pieces.atEnd]).toEqual([true, true]);
  });

  test("at the end begin with a whole line", async () => {
    const { log, pieces } = open(numbered(50_000));
    await pieces.openEnd();
    expect(texts(pieces.sight)[0]).toMatch(/^line \d+ 丹炉$/);
    expect(texts(pieces.sight).at(-1)).toBe("line 49999 丹炉");
    expect(log.read).toBeLessThanOrEqual(PIECE);
  });

  test("know the numbers of lines where these were counted from the first", async () => {
    const { pieces } = open(numbered(400_000));
    const expectTrue = () => {
      const { rows, firstLine } = pieces.sight;
      expect(`line ${(firstLine ?? 0) - 1} 丹炉`).toBe(rows[0]?.spans[0]?.text);
    };
    await pieces.openEnd();
    expect(pieces.sight.firstLine).toBeNull();
    await pieces.openAt(0);
    expect(pieces.sight.firstLine).toBe(1);
    // Far enough that the first rows are forgotten, and back.
    while (pieces.sight.end < 2 * MOST_BYTES) {
      const { end } = pieces.sight;
      pieces.lookAt(end - 100, end);
      await pieces.growDown();
    }
    expect(pieces.sight.start).toBeGreaterThan(0);
    expectTrue();
    while (!pieces.atStart) {
      const { start } = pieces.sight;
      pieces.lookAt(start, start + 100);
      await pieces.growUp();
      expectTrue();
    }
    await pieces.openAt(3_000_000);
    expect(pieces.sight.firstLine).toBeNull();
  });

  test("behind the end of a log are its end", async () => {
    const { pieces } = open(numbered(10));
    await pieces.openAt(1_000_000);
    expect(texts(pieces.sight).at(-1)).toBe("line 9 丹炉");
  });

  test("grown up and down give what reading it through gives", async () => {
    const text = numbered(20_000);
    const { log, pieces } = open(text);
    const reader = new LineReader(0);
    const whole = [...reader.push(log.bytes), ...reader.open()];
    await pieces.openAt(Math.floor(log.bytes.length / 2));
    while (await pieces.growUp());
    while (!pieces.atEnd) await pieces.growDown();
    expect(JSON.stringify(pieces.sight.rows) === JSON.stringify(whole)).toBe(true);
  });

  test("hold a bounded part, side by side, wherever one goes", async () => {
    const { log, pieces } = open(numbered(30_000, ".".repeat(90)));
    await pieces.openAt(0);
    while (!pieces.atEnd) {
      await pieces.growDown();
      expect(pieces.sight.end - pieces.sight.start).toBeLessThanOrEqual(MOST_BYTES + PIECE);
    }
    expect(isSideBySide(pieces.sight)).toBe(true);
    for (let n = 0; n < 50; n += 1) await pieces.growUp();
    expect(pieces.sight.end - pieces.sight.start).toBeLessThanOrEqual(MOST_BYTES + PIECE);
    expect(isSideBySide(pieces.sight)).toBe(true);
    expect(pieces.sight.size).toBe(log.bytes.length);
  });

  test("keep what the user looks at, while more comes in below", async () => {
    const { log, pieces } = open("first\n");
    await pieces.openEnd();
    pieces.lookAt(0, 5);
    pieces.append(
      6,
      encoder.encode(
        "x"
          .repeat(80)
          .concat("\n")
          .repeat(MOST_BYTES / 60),
      ),
    );
    expect(texts(pieces.sight)[0]).toBe("first");
    expect(log.read).toBe(6);
  });

  test("that are held stay, whatever becomes of the log", async () => {
    const { log, pieces } = open("one\ntwo\n");
    await pieces.openEnd();
    const { rows } = pieces.sight;
    const slow = pieces.catchUp();
    pieces.isHeld = true;
    await slow;
    log.bytes = encoder.encode(numbered(9_000));
    await pieces.catchUp();
    await pieces.measure();
    expect(pieces.sight.size).toBe(log.bytes.length);
    log.bytes = encoder.encode("short\n");
    await pieces.growDown();
    expect(pieces.sight.rows).toBe(rows);
  });

  test("take what the stream brings once, and only where it fits", async () => {
    const { pieces } = open("one\n");
    await pieces.openEnd();
    pieces.append(4, encoder.encode("two\nthr"));
    pieces.append(0, encoder.encode("one\ntwo\n"));
    pieces.append(8, encoder.encode("three"));
    pieces.append(900, encoder.encode("elsewhere"));
    expect(texts(pieces.sight)).toEqual(["one", "two", "three"]);
    expect(pieces.sight.size).toBe(13);
  });

  test("of lines that are far too long stay usable", async () => {
    const { pieces } = open(`before\n${"丹".repeat(400_000)}\nafter\n`);
    await pieces.openEnd();
    while (!pieces.atStart) await pieces.growUp();
    expect(texts(pieces.sight)[0]).toBe("before");
    expect(texts(pieces.sight).at(-1)).toBe("after");
    expect(isSideBySide(pieces.sight)).toBe(true);
    expect(pieces.sight.rows.length).toBeLessThan(12);
    const cut = pieces.sight.rows.find(({ isCut }) => isCut);
    if (!cut) throw new Error("no row was cut");
    await pieces.expand(cut, 20_000);
    expect(pieces.sight.rows.find(({ offset }) => offset === cut.offset)?.spans[0]?.text.length).toBe(20_000);
    expect(texts(pieces.sight).join("")).not.toContain("\ufffd");
  });

  test("pass over what was cut out, in either direction", async () => {
    const [head, tail] = [numbered(6_000), numbered(7_000)].map((text) => encoder.encode(text));
    if (!head || !tail) throw new Error("nothing to read");
    const to = 5 * 2 ** 40;
    const cut = [head.length, to] as const;
    const source: ReadPiece = async (offset, limit) => {
      const size = to + tail.length;
      const wanted = offset < 0 ? size + offset : offset;
      const start = wanted >= head.length && wanted < to ? to : wanted;
      const bytes =
        start < to ? head.slice(start, start + limit) : tail.slice(start - to, start - to + limit);
      return { offset: start, bytes, size, cut };
    };
    const up = new LogPieces(source, () => {});
    await up.openEnd();
    while (await up.growUp());
    expect(up.atStart).toBe(true);
    expect(texts(up.sight)).toHaveLength(13_000);
    expect(texts(up.sight)[6_000]).toBe("line 0 丹炉");
    const down = new LogPieces(source, () => {});
    await down.openAt(0);
    while (!down.atEnd) await down.growDown();
    expect(texts(down.sight)).toEqual(texts(up.sight));
    down.append(to + tail.length, encoder.encode("more\n"));
    expect(texts(down.sight).at(-1)).toBe("more");
  });

  test("begin anew when the file was replaced by a shorter one", async () => {
    const { log, pieces } = open(numbered(10));
    await pieces.openEnd();
    log.bytes = encoder.encode("new\n");
    await pieces.growDown();
    expect(texts(pieces.sight)).toEqual(["new"]);
  });

  test("of a place that was left meanwhile are dropped", async () => {
    const { pieces } = open(numbered(40_000));
    const slow = pieces.openEnd();
    await pieces.openAt(0);
    await slow;
    expect(texts(pieces.sight)[0]).toBe("line 0 丹炉");
  });
});
