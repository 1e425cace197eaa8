/** How long until notices are asked for again by time alone; null: not before an event tells of a change. */
export function msUntilChange(changesInS: number | null | undefined): number | null {
  if (changesInS === null || changesInS === undefined) return null;
  // A browser's timer takes no more than 24 days; and one that is early by a hair must not ask in a circle.
  return Math.min(Math.max(changesInS * 1000 + 250, 1000), 86_400_000);
}
