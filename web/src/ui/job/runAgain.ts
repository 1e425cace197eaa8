/** In which ways a job can be run again. Pure. */
import type { JobRow, JobState } from "@/lib/api/schema";

/** As a new job or as the same one, at once or with changes. The first is the safest. */
export type WayToRunAgain = "asNew" | "asNewChanged" | "asSame" | "asSameChanged";

const ENDED: readonly JobState[] = ["succeeded", "failed", "cancelled"];

/** An element of an array goes with its array, and what some elements of that have run with is what the others run with. */
export function waysToRunAgain({
  state,
  index,
  array,
}: Pick<JobRow, "state" | "index" | "array">): WayToRunAgain[] {
  if (index !== null && index !== undefined) return [];
  const isWhole = array === null || array === undefined;
  return ENDED.includes(state) && isWhole
    ? ["asNew", "asNewChanged", "asSame", "asSameChanged"]
    : ["asNew", "asNewChanged"];
}
