// @vitest-environment node
import { expect, test } from "vitest";
import type { Row } from "./lines";
import { firstAround, indexAt, lastSlice, MOST_SHOWN, movedFirst, sliceFrom } from "./slice";

const rows: Row[] = Array.from({ length: 2000 }, (_, n) => ({
  offset: n * 10,
  end: n * 10 + 10,
  spans: [],
  isMid: false,
  isCut: false,
}));

test("never more rows on the page than agreed, and never beyond the ends", () => {
  for (let first = 0; first < 20_000; first += 177) {
    const { from, to } = sliceFrom(rows, first);
    expect(to - from).toBeLessThanOrEqual(MOST_SHOWN);
    expect(from).toBeLessThanOrEqual(indexAt(rows, first));
    expect(to).toBeLessThanOrEqual(rows.length);
  }
  expect(sliceFrom([], 5)).toEqual({ from: 0, to: 0 });
  expect(lastSlice(rows)).toEqual({ from: 1700, to: 2000 });
});

test("rows move along before the user comes to their edge", () => {
  const slice = sliceFrom(rows, 5000);
  expect(movedFirst(rows, slice, 600, 640)).toBeNull();
  for (const seen of [510, 780]) {
    const moved = movedFirst(rows, slice, seen, seen + 15);
    const after = sliceFrom(rows, moved ?? -1);
    expect(after.from).toBeLessThan(seen - 60);
    expect(after.to).toBeGreaterThan(seen + 75);
    expect(movedFirst(rows, after, seen, seen + 15)).toBeNull();
  }
});

test("at the ends nothing moves", () => {
  expect(movedFirst(rows, sliceFrom(rows, 0), 0, 40)).toBeNull();
  expect(movedFirst(rows, lastSlice(rows), 1960, 1999)).toBeNull();
  expect(firstAround(rows, 3)).toBe(0);
});
