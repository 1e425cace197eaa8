// @vitest-environment node
import { describe, expect, test } from "vitest";
import type { LogRecord, Outcome } from "@/lib/live/messages";
import { type Followed, LogFollower, MOST_AT_ONCE, MOST_UNWATCHED, Speed, type StreamState } from "./follow";

const encoder = new TextEncoder();
const END: LogRecord = {
  event: "end",
  state: "succeeded",
  attempt: 1,
  end_reason: "completed",
  exit_code: 0,
  signal: null,
};

function chunk(offset: number, text: string): LogRecord {
  return { event: "chunk", offset, bytes: encoder.encode(text) };
}

class Page implements Followed {
  text = "";
  at = 0;
  streams: StreamState[] = [];
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
  onStream = (stream: StreamState) => void this.streams.push(stream);
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

/** A server that answers with some records, and breaks off after them, each time it is asked. */
function breaking(answers: LogRecord[][]) {
  const offsets: number[] = [];
  const open = async (offset: number) => {
    offsets.push(offset);
    const records = answers.shift();
    if (records === undefined) throw new Error("gone");
    return new ReadableStream<LogRecord>({
      start(sender) {
        for (const record of records) sender.enqueue(record);
        sender.close();
      },
    });
  };
  return { open, offsets };
}

describe("following", () => {
  test("goes on by offset after a break, to the end", async () => {
    const server = breaking([[chunk(0, "one\n")], [chunk(4, "two\n"), END]]);
    const page = new Page();
    new LogFollower(server.open, page).start();
    expect(await page.end).toMatchObject({ state: "succeeded" });
    expect(page.text).toBe("one\ntwo\n");
    expect(server.offsets).toEqual([0, 4]);
    expect(page.streams).toContain("broken");
  });

  test("skips ahead of what no user could read", async () => {
    const flood = chunk(0, "x".repeat(MOST_AT_ONCE + 10));
    const server = breaking([[flood], [chunk(5_000_000, "tail\n"), END]]);
    const page = new Page();
    new LogFollower(server.open, page).start();
    await page.end;
    expect(page.text).toBe("tail\n");
    expect(page.streams).toContain("racing");
  });

  test("rests when the user does not look, and goes on when the user does", async () => {
    const more = "y".repeat(MOST_UNWATCHED + 10);
    const server = breaking([[chunk(0, more)], [chunk(more.length, "z"), END]]);
    const page = new Page();
    page.watched = false;
    const follower = new LogFollower(server.open, page);
    await new Promise<void>((resolve) => {
      page.onStream = (stream) => {
        page.streams.push(stream);
        if (stream === "resting") resolve();
      };
      follower.start();
    });
    page.watched = true;
    follower.start();
    await page.end;
    expect(page.text.endsWith("z")).toBe(true);
  });

  test("does not skip what comes too fast while the user does not watch, and rests through a network that comes back", async () => {
    const server = breaking([[chunk(0, "x".repeat(MOST_AT_ONCE * 3))]]);
    const page = new Page();
    page.watched = false;
    page.skipAhead = async () => expect.fail("it skipped ahead");
    const follower = new LogFollower(server.open, page);
    await new Promise<void>((resolve) => {
      page.onStream = (stream) => {
        page.streams.push(stream);
        if (stream === "resting") resolve();
      };
      follower.start();
    });
    follower.hurry();
    await new Promise((resolve) => setTimeout(resolve));
    expect(server.offsets).toEqual([0]);
    expect(page.streams).toEqual(["live", "resting"]);
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
    expect(page.streams.at(-1)).toBe("off");
  });
});

test("speed counts the last second only", () => {
  const speed = new Speed();
  expect(speed.add(100, 0)).toBe(100);
  expect(speed.add(50, 900)).toBe(150);
  expect(speed.add(1, 1500)).toBe(51);
});
