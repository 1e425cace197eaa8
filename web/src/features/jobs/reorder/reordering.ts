/** Where a job goes when it is dragged or moved by a key. Places count from 0 here; the server counts from 1. */

export type MoveName = "toTop" | "up" | "down" | "toBottom";

/** A job on its way to another place. */
export interface Move {
  ref: string;
  to: number;
}

/** Where a job stands after it went from its place into a gap. */
export function placeAfter(from: number, gap: number): number {
  return gap > from ? gap - 1 : gap;
}

/** The places it can be moved to from here; the end may be beyond what is loaded. */
export function movesFrom(index: number, count: number, hasMore: boolean): MoveName[] {
  const isLast = index === count - 1 && !hasMore;
  return [
    ...(index > 0 ? (["toTop", "up"] as const) : []),
    ...(isLast ? [] : (["down", "toBottom"] as const)),
  ];
}

export function placeOf(move: MoveName, index: number, total: number): number {
  switch (move) {
    case "toTop":
      return 0;
    case "up":
      return Math.max(index - 1, 0);
    case "down":
      return Math.min(index + 1, total - 1);
    case "toBottom":
      return total - 1;
  }
}

/**
 * The moves that are under way, with one more. Only the first is with the server; of those behind it, the last of
 * the same job is replaced: nine presses of a key become one or two requests, and the last place counts.
 */
export function addMove(moves: readonly Move[], move: Move): Move[] {
  const isReplaced = moves.length > 1 && moves.at(-1)?.ref === move.ref;
  return [...(isReplaced ? moves.slice(0, -1) : moves), move];
}

/** The rows as they will be once the server has carried out these moves. */
export function withMoves<Row extends { ref: string }>(
  rows: readonly Row[],
  moves: readonly Move[],
): readonly Row[] {
  if (moves.length === 0) return rows;
  const moved = [...rows];
  for (const { ref, to } of moves) {
    const from = moved.findIndex((row) => row.ref === ref);
    moved.splice(to, 0, ...(from < 0 ? [] : moved.splice(from, 1)));
  }
  return moved;
}
