/** Why a job waits, as far as its row does not say it already. */
import type { JobRow } from "@/lib/api/schema";

/** So many rows on top say their reasons in full. */
export const FULL_REASONS = 3;

/**
 * The sentences of a row. Where the list is the queue itself, the column has the place and the rows above are those
 * that go first: that a job is behind them says nothing more.
 */
export function reasonsOf(job: Pick<JobRow, "area" | "why">, isQueue: boolean): string {
  if (job.area !== "waiting") return "";
  return (job.why ?? [])
    .filter(({ code }) => !(isQueue && code === "behind_in_queue"))
    .map(({ message }) => message)
    .join(" ");
}
