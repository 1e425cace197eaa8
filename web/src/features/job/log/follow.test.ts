// @vitest-environment node
import { describe, expect, test } from "vitest";
import { type Followed, type Line, LogFollower, MOST_AT_ONCE, MOST_UNWATCHED, Speed } from "./follow";
import { type Outcome, RecordReader } from "./records";

const encoder = new TextEncoder();
const END =
  '{"event":"end","state":"succeeded","attempt":1,"end_reason":"completed","exit_code":0,"signal":null}\n';

function chunk(offset: number, text: string): string {
  return `{"event":"chunk","offset":${offset},"length":${encoder.encode(text).length}}\n${text}`;
}

describe("records", () => {
  test("are the same however the stream is cut up", () => {
    const stream = encoder.encode(
      `{"event":"heartbeat"}\n${chunk(7, '{"a":1}\n丹炉')}${chunk(21, "\n")}${END}`,
    );
    for (let step = 1; step < stream.length; step += 3) {
      const heard: number[] = [];
      let at = 7;
      let outcome: Outcome | null = null;
      const reader = new RecordReader({
        onBytes(offset, bytes) {
          expect(offset).toBe(at);
          at += bytes.length;
          heard.push(...bytes);
        },
        onEnd(end) {
          outcome = end;
        },
      });
      for (let from = 0; from < stream.length; from += step) reader.push(stream.subarray(from, from + step));
      expect(new TextDecoder().decode(new Uint8Array(heard))).toBe('{"a":1}\n丹炉\n');
      expect(outcome).toMatchObject({ exit_code: 0 });
    }
  });
});

class Page implements Followed {
  text = "";
  at = 0;
  lines: Line[] = [];
  watched = true;
  ended: (outcome: Outcome) => void = () => {};
  readonly end = new Promise<Outcome>((resolve) => {
    this.ended = resolve;
  });
  offset = () => this.at;
  onBytes(offset: number, bytes: Uint8Array) {
    expect(offset).toBe(this.at);
    this.text += new TextDecoder().decode(bytes);
    this.at += bytes.length;
  }
  onEnd = (outcome: Outcome) => this.ended(outcome);
  onLine = (line: Line) => void this.lines.push(line);
  async skipAhead() {
    this.at = 5_000_000;
    this.text = "";
  }
  isWatched = () => this.watched;
  measured = 0;
  async measure() {
    this.measured += 1;
  }
}

/** A server that answers with one text after another, and breaks off after each. */
function breaking(texts: string[]) {
  const offsets: number[] = [];
  const open = async (offset: number) => {
    offsets.push(offset);
    const text = texts.shift();
    if (text === undefined) throw new Error("gone");
    return new ReadableStream<Uint8Array>({
      start(sender) {
        sender.enqueue(encoder.encode(text));
        sender.close();
      },
    });
  };
  return { open, offsets };
}

describe("following", () => {
  test("goes on by offset after a break, to the end", async () => {
    const server = breaking([chunk(0, "one\n"), chunk(4, "two\n") + END]);
    const page = new Page();
    new LogFollower(server.open, page).start();
    expect(await page.end).toMatchObject({ state: "succeeded" });
    expect(page.text).toBe("one\ntwo\n");
    expect(server.offsets).toEqual([0, 4]);
    expect(page.lines).toContain("broken");
  });

  test("skips ahead of what nobody could read", async () => {
    const flood = chunk(0, "x".repeat(MOST_AT_ONCE + 10));
    const server = breaking([flood, chunk(5_000_000, "tail\n") + END]);
    const page = new Page();
    new LogFollower(server.open, page).start();
    await page.end;
    expect(page.text).toBe("tail\n");
    expect(page.lines).toContain("racing");
  });

  test("rests when nobody looks, and goes on when somebody does", async () => {
    const more = "y".repeat(MOST_UNWATCHED + 10);
    const server = breaking([chunk(0, more), chunk(more.length, "z") + END]);
    const page = new Page();
    page.watched = false;
    const follower = new LogFollower(server.open, page);
    await new Promise<void>((resolve) => {
      page.onLine = (line) => {
        page.lines.push(line);
        if (line === "resting") resolve();
      };
      follower.start();
    });
    page.watched = true;
    follower.start();
    await page.end;
    expect(page.text.endsWith("z")).toBe(true);
  });

  test("does not skip what comes too fast while nobody watches, and rests through a network that comes back", async () => {
    const server = breaking([chunk(0, "x".repeat(MOST_AT_ONCE * 3))]);
    const page = new Page();
    page.watched = false;
    page.skipAhead = async () => expect.fail("it skipped ahead");
    const follower = new LogFollower(server.open, page);
    await new Promise<void>((resolve) => {
      page.onLine = (line) => {
        page.lines.push(line);
        if (line === "resting") resolve();
      };
      follower.start();
    });
    follower.hurry();
    await new Promise((resolve) => setTimeout(resolve));
    expect(server.offsets).toEqual([0]);
    expect(page.lines).toEqual(["live", "resting"]);
    expect(page.measured).toBe(1);
    follower.stop();
  });

  test("stops when told to", async () => {
    const server = breaking([]);
    const page = new Page();
    const follower = new LogFollower(server.open, page);
    follower.start();
    follower.stop();
    expect(follower.isOn).toBe(false);
    expect(page.lines.at(-1)).toBe("off");
  });
});

test("speed counts the last second only", () => {
  const speed = new Speed();
  expect(speed.add(100, 0)).toBe(100);
  expect(speed.add(50, 900)).toBe(150);
  expect(speed.add(1, 1500)).toBe(51);
});
