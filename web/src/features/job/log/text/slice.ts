/** Which of the rows in memory are on the page: a few screens of them, moved along as the user scrolls. */
import type { Row } from "./lines";
import { firstAfter } from "./pieces";

export const MOST_SHOWN = 300;
/** With fewer rows than these beyond the edge of the screen, the rows on the page move on. */
const MARGIN = 60;
const LEAD = 120;

export interface Slice {
  readonly from: number;
  readonly to: number;
}

/** The rows on the page when `first` is where they begin. */
export function sliceFrom(rows: readonly Row[], first: number): Slice {
  const found = Math.max(0, firstAfter(rows, first) - 1);
  const from = Math.max(0, Math.min(found, rows.length - 1));
  return { from, to: Math.min(rows.length, from + MOST_SHOWN) };
}

export function lastSlice(rows: readonly Row[]): Slice {
  return { from: Math.max(0, rows.length - MOST_SHOWN), to: rows.length };
}

/** Where the rows on the page shall begin, given which of all rows can be seen; null: they may stay. */
export function movedFirst(
  rows: readonly Row[],
  { from, to }: Slice,
  firstSeen: number,
  lastSeen: number,
): number | null {
  const nearTop = from > 0 && firstSeen - from < MARGIN;
  const nearBottom = to < rows.length && to - 1 - lastSeen < MARGIN;
  if (!nearTop && !nearBottom) return null;
  return firstAround(rows, firstSeen);
}

/** Where rows around this one begin. */
export function firstAround(rows: readonly Row[], index: number): number {
  return rows[Math.max(0, index - LEAD)]?.offset ?? 0;
}

/** The row that a place lies in. */
export function indexAt(rows: readonly Row[], offset: number): number {
  return Math.max(0, firstAfter(rows, offset) - 1);
}

export const isNear = (rows: number): boolean => rows < MARGIN;
