/** How much there is of a log: its lines where all of it is in memory, and otherwise which part of it is in view. */
import type { LogState } from "./follow/store";
import type { Place } from "./search/useLogSearch";

export type Amount =
  | { readonly kind: "lines"; readonly lines: number }
  | { readonly kind: "first" | "last" | "middle"; readonly shown: number; readonly percent: number };

type Known = Pick<LogState, "rows" | "start" | "end" | "size" | "cut" | "unread">;

export function amountOf({ rows, start, end, size, cut, unread }: Known, place: Place): Amount {
  if (start === 0 && !cut && (unread?.end ?? end) >= size) {
    let lines = unread?.lines ?? 0;
    for (const row of rows) if (!row.isMid) lines += 1;
    return { kind: "lines", lines };
  }
  const [top, bottom] = [Math.max(0, place.top), Math.min(place.bottom, size)];
  const kind = bottom >= size ? "last" : top === 0 ? "first" : "middle";
  return { kind, shown: Math.max(0, bottom - top), percent: Math.floor((top / Math.max(1, size)) * 100) };
}
