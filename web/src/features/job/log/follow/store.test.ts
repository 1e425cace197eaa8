import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LogRecord } from "@/lib/live/messages";
import { cameSince } from "../since";
import type { ReadPiece } from "../text/pieces";
import { LogStore } from "./store";

const encoder = new TextEncoder();
const LINE = "step 0000 loss 0.123\n";

/** A job that writes as fast as it is read, and far ahead of that. */
class Flood {
  text = LINE.repeat(100);
  opened = 0;
  read: ReadPiece = async (offset, limit) => {
    this.text += LINE.repeat(40_000);
    const from = offset < 0 ? this.text.length + offset : offset;
    const bytes = encoder.encode(this.text.slice(from, from + limit));
    return { offset: from, bytes, size: this.text.length };
  };
  open = async (offset: number, signal: AbortSignal) => {
    this.opened += 1;
    let at = offset;
    return new ReadableStream<LogRecord>({
      pull: (sender) => {
        if (signal.aborted) return sender.close();
        const part = LINE.repeat(2000);
        sender.enqueue({ event: "chunk", offset: at, bytes: encoder.encode(part) });
        at += part.length;
        this.text += part;
      },
    });
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each(["while it is followed", "while it is being caught up with"])("a pause holds, %s", async (when) => {
  const flood = new Flood();
  const store = new LogStore(flood.read, flood.open, false);
  await store.toEnd();
  await vi.advanceTimersByTimeAsync(when === "while it is followed" ? 5 : 1000);
  store.pause();
  const { rows, opened } = store.state;
  const last = rows.at(-1)?.end ?? 0;
  store.lookAt(rows.at(-40)?.offset ?? 0, last);
  await vi.advanceTimersByTimeAsync(20_000);
  await store.needDown();
  expect(store.state.rows).toBe(rows);
  expect(store.state.opened).toBe(opened);
  expect(store.state.stream).toBe("resting");
  const since = cameSince(store.state);
  expect(since?.isCounted).toBe(false);
  expect(since?.lines).toBeGreaterThan(300_000);

  await store.toEnd();
  expect(store.state.pinned).toBe(true);
  expect(cameSince(store.state)).toBeNull();
  expect(store.state.rows.at(-1)?.end).toBeGreaterThan(last + 100_000);
  store.close();
});

test("what came during a pause is shown below to who scrolls on, and all of it", async () => {
  const flood = new Flood();
  const store = new LogStore(flood.read, flood.open, false);
  await store.toEnd();
  store.pause();
  const before = store.state.rows;
  await vi.advanceTimersByTimeAsync(50);
  store.showOn();
  const { rows } = store.state;
  expect(rows.length).toBeGreaterThan(before.length);
  expect(rows.slice(0, before.length - 12)).toEqual(before.slice(0, -12));
  expect(rows.every((row, at) => at === 0 || row.offset === rows[at - 1]?.end)).toBe(true);
  store.close();
});

test("what came since is counted where it is known, and estimated elsewhere", () => {
  const row = (offset: number, isMid = false) => ({
    offset,
    end: offset + 10,
    spans: [],
    isMid,
    isCut: false,
  });
  const rows = [row(0), row(10), row(20), row(30, true)];
  const known = { rows, start: 0, end: 40, size: 40, unread: null };
  expect(cameSince({ ...known, heldAt: null })).toBeNull();
  expect(cameSince({ ...known, heldAt: 40 })).toBeNull();
  expect(cameSince({ ...known, heldAt: 10 })).toEqual({ bytes: 30, lines: 2, isCounted: true });
  const unread = { end: 90, lines: 5 };
  expect(cameSince({ ...known, size: 90, heldAt: 40, unread })).toEqual({
    bytes: 50,
    lines: 5,
    isCounted: true,
  });
  expect(cameSince({ ...known, size: 1040, heldAt: 40 })).toEqual({
    bytes: 1000,
    lines: 100,
    isCounted: false,
  });
});

test("a log that is opened at a place is not followed, and nothing counts as having come since", async () => {
  const text = LINE.repeat(20_000);
  const reads: number[] = [];
  const read: ReadPiece = async (offset, limit) => {
    reads.push(limit);
    const from = offset < 0 ? text.length + offset : offset;
    return { offset: from, bytes: encoder.encode(text.slice(from, from + limit)), size: text.length };
  };
  const store = new LogStore(read, async () => new ReadableStream(), true);
  await store.goTo(LINE.length * 10_000);
  expect(reads).toHaveLength(1);
  expect(store.state.pinned).toBe(false);
  expect(store.state.target?.offset).toBe(LINE.length * 10_000);
  expect(cameSince(store.state)).toBeNull();
});
