/** How much has come to a log since its view was stopped. */
import type { Row } from "./text/lines";
import { firstAfter } from "./text/pieces";

export interface Since {
  bytes: number;
  lines: number;
  /** The lines were counted; otherwise there are about so many. */
  isCounted: boolean;
}

interface Known {
  rows: readonly Row[];
  start: number;
  end: number;
  size: number;
  heldAt: number | null;
  unread: { readonly end: number; readonly lines: number } | null;
}

export function cameSince({ rows, start, end, size, heldAt, unread }: Known): Since | null {
  if (heldAt === null || size <= heldAt) return null;
  const bytes = size - heldAt;
  if (start <= heldAt && (unread?.end ?? end) >= size) {
    const from = firstAfter(rows, heldAt - 1);
    let lines = unread?.lines ?? 0;
    for (let at = from; at < rows.length; at += 1) if (!rows[at]?.isMid) lines += 1;
    return { bytes, lines, isCounted: true };
  }
  // What is in memory tells how long its lines are.
  const perLine = rows.length > 0 ? (end - start) / rows.length : bytes;
  return { bytes, lines: Math.max(1, Math.round(bytes / Math.max(1, perLine))), isCounted: false };
}
