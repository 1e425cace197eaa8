/** The colour of a number that is good or bad news: none where there is no news. The colours are in palette.css. */

/** So many are a good thing; none is not. */
export function goodCount(count: number): string {
  return count > 0 ? "count-good" : "";
}

/** So many are there of those that should be. */
export function missingCount(there: number, all: number): string {
  return there < all ? "count-bad" : "";
}
