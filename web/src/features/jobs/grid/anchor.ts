/** Keeps what the user reads where it is while rows come and go above it. */

/** How many rows the one at `index` has moved down by; when it has gone, the next one of those that stayed. */
export function shiftOf(
  before: readonly string[],
  after: ReadonlyMap<string, number>,
  index: number,
): number {
  for (let at = index; at < before.length; at += 1) {
    const now = after.get(before[at] ?? "");
    if (now !== undefined) return now - at;
  }
  return 0;
}

/** How many rows stand above the one that was the first: those are new on top. */
export function newOnTop(before: readonly string[], after: ReadonlyMap<string, number>): number {
  const first = before.findIndex((ref) => after.has(ref));
  return first < 0 ? 0 : Math.max(0, (after.get(before[first] ?? "") ?? 0) - first);
}

/** The row itself, or the one that stands in its place now. */
export function successorOf(refs: readonly string[], ref: string | null, index: number): string | null {
  if (ref !== null && refs.includes(ref)) return ref;
  return refs[Math.min(Math.max(index, 0), refs.length - 1)] ?? null;
}
