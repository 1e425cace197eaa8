import { expect, test } from "vitest";
import type { LogMatch } from "@/lib/api/schema";
import { type Ask, type Count, count, find, MOST_COUNTED, placeOf } from "./search";

const signal = new AbortController().signal;

/** A log of `size` bytes with matches at these offsets, of which one call searches `reach` bytes. */
function logWith(places: number[], size: number, reach: number): { ask: Ask; calls: () => number } {
  let calls = 0;
  const ask: Ask = async ({ offset, backward, limit }) => {
    calls += 1;
    const from = offset ?? (backward ? size : 0);
    const until = backward ? Math.max(0, from - reach) : Math.min(size, from + reach);
    const inside = places.filter((at) => (backward ? at < from && at >= until : at >= from && at < until));
    const found = (backward ? inside.reverse() : inside).slice(0, limit);
    const last = found.at(-1);
    const full = found.length === limit && last !== undefined;
    const next = full ? (backward ? last : last + 1) : until;
    const isDone = !full && (backward ? until === 0 : until === size);
    const matches: LogMatch[] = found.map((at) => ({ offset: at, line_offset: at, length: 1, text: "" }));
    return { matches, next: isDone ? null : next, done: isDone, size };
  };
  return { ask, calls: () => calls };
}

test("the next place is found over several calls, in both directions, and around the end", async () => {
  const { ask } = logWith([5000, 9000], 10_000, 1000);
  expect((await find(ask, "x", 0, false, signal))?.match.offset).toBe(5000);
  expect((await find(ask, "x", 5001, false, signal))?.match.offset).toBe(9000);
  expect((await find(ask, "x", 9000, true, signal))?.match.offset).toBe(5000);
  expect(await find(ask, "x", 9001, false, signal)).toMatchObject({
    match: { offset: 5000 },
    isAround: true,
  });
  expect(await find(ask, "x", 5000, true, signal)).toMatchObject({ match: { offset: 9000 }, isAround: true });
});

test("what is not there is not found, and asked for no longer than needed", async () => {
  const { ask, calls } = logWith([], 3000, 1000);
  expect(await find(ask, null, 1500, false, signal)).toBeNull();
  expect(calls()).toBeLessThanOrEqual(6);
});

test("places are counted, and very many are given up on", async () => {
  const told: Count[] = [];
  await count(logWith([1, 2, 2500], 3000, 1000).ask, "x", signal, (each) => told.push(each));
  expect(told.map(({ offsets }) => offsets.length)).toEqual([2, 2, 3]);
  expect(told.at(-1)?.isWhole).toBe(true);
  const last = told.at(-1);
  expect(last && [placeOf(last, 2500), placeOf(last, 7)]).toEqual([3, null]);
  let many: Count = { offsets: [], isWhole: true };
  const full = logWith(
    Array.from({ length: 5000 }, (_, n) => n),
    5000,
    5000,
  );
  await count(full.ask, "x", signal, (each) => {
    many = each;
  });
  expect([many.offsets.length, many.isWhole]).toEqual([MOST_COUNTED, false]);
});
