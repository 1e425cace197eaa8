/** How high rows are: all the same, but for the first few of a list, which say their reasons in full. */
export interface Heights {
  /** Of the first rows, as they were measured. */
  first: readonly number[];
  rest: number;
}

export function heightOf({ first, rest }: Heights, index: number): number {
  return first[index] ?? rest;
}

/** How far below the first row's top the row at `index` begins. */
export function topOf(heights: Heights, index: number): number {
  const { first, rest } = heights;
  const above = first.slice(0, index).reduce((sum, each) => sum + each, 0);
  return above + Math.max(0, index - first.length) * rest;
}

/** The row that a height below the first row's top lies in. */
export function indexAt(heights: Heights, y: number): number {
  const { first, rest } = heights;
  let top = 0;
  for (const [index, height] of first.entries()) {
    if (y < top + height) return index;
    top += height;
  }
  return first.length + Math.floor((y - top) / rest);
}

/** The gap between rows that a height points at: 0 is above the first. */
export function gapAt(heights: Heights, y: number, count: number): number {
  const index = Math.max(0, indexAt(heights, y));
  const isBelow = y > topOf(heights, index) + heightOf(heights, index) / 2;
  return Math.min(index + (isBelow ? 1 : 0), count);
}
