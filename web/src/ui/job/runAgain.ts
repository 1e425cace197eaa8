/** In which ways a job can be run again. Pure. */
import type { JobRow } from "@/lib/api/schema";
import { isEnded } from "@/lib/jobStates";

/** As a new job or as the same one, at once or with changes. The first is the safest. */
export type WayToRunAgain = "asNew" | "asNewChanged" | "asSame" | "asSameChanged";

/** An element of an array goes with its array, and what some elements of that have run with is what the others run with. */
export function waysToRunAgain({
  state,
  index,
  array,
}: Pick<JobRow, "state" | "index" | "array">): WayToRunAgain[] {
  if (index !== null && index !== undefined) return [];
  const isWhole = array === null || array === undefined;
  return isEnded(state) && isWhole
    ? ["asNew", "asNewChanged", "asSame", "asSameChanged"]
    : ["asNew", "asNewChanged"];
}
