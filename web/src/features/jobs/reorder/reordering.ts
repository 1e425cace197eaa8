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

/** The first and the last place that a job can go to. */
export type Bounds = readonly [first: number, last: number];

/** Urgent jobs lead the queue and stay there, the others behind them. `total`: with those that are not loaded. */
export function boundsOf(
  rows: readonly { urgent: boolean }[],
  { urgent }: { urgent: boolean },
  total: number,
): Bounds {
  const firstOther = rows.findIndex((row) => !row.urgent);
  const leading = firstOther < 0 ? total : firstOther;
  return urgent ? [0, leading - 1] : [leading, total - 1];
}

export function within([first, last]: Bounds, place: number): number {
  return Math.min(Math.max(place, first), last);
}

/** The places it can be moved to from here. */
export function movesFrom(index: number, [first, last]: Bounds): MoveName[] {
  return [
    ...(index > first ? (["toTop", "up"] as const) : []),
    ...(index < last ? (["down", "toBottom"] as const) : []),
  ];
}

export function placeOf(move: MoveName, index: number, bounds: Bounds): number {
  const [first, last] = bounds;
  return within(bounds, { toTop: first, up: index - 1, down: index + 1, toBottom: last }[move]);
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
