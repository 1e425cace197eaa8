/** Lines of a log that a link points to. They are known by bytes, so that a log of any size costs the same. */

import type { LogState } from "../follow/store";
import type { Row } from "../text/lines";
import { newLines } from "../text/pieces";
import { indexAt } from "../text/slice";

export interface Mark {
  /** A byte of the first line. */
  readonly at: number;
  /** A byte of the last line. */
  readonly to: number;
}

/** What is marked after a click on a line: that line alone, from the one clicked before up to it, or nothing more. */
export function markAfter(now: Mark | null, anchor: number | null, row: Row, isRange: boolean): Mark | null {
  if (isRange && anchor !== null) {
    return { at: Math.min(anchor, row.offset), to: Math.max(anchor, row.offset) };
  }
  const isAgain = now !== null && isMarked(row, now) && now.at === now.to;
  return isAgain ? null : { at: row.offset, to: row.offset };
}

export function isMarked(row: Row, { at, to }: Mark): boolean {
  return row.end > at && row.offset <= to;
}

/** Why what a link points to is not shown, if it is not. */
export function whyMissing(
  { at, to }: Mark,
  { cut, size }: Pick<LogState, "cut" | "size">,
): MarkTrouble | null {
  if (cut && at >= cut[0] && to < cut[1]) return "markCut";
  return at >= size ? "markBehind" : null;
}

export type MarkTrouble = "markCut" | "markBehind";

type Known = Pick<LogState, "rows" | "firstLine" | "cut">;

/** The number of a row's line, counted from the first of the log; null where they are not counted. */
export function lineNumber({ rows, firstLine, cut }: Known, index: number): number | null {
  const row = rows[index];
  if (firstLine === null || !row || (cut && row.offset >= cut[1])) return null;
  return firstLine + newLines(rows, index);
}

/** The number of the line that a byte lies in. */
export function lineOf(known: Known & Pick<LogState, "start" | "end">, offset: number): number | null {
  if (offset < known.start || offset >= known.end) return null;
  return lineNumber(known, indexAt(known.rows, offset));
}
