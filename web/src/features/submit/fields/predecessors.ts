/** Which jobs are offered as predecessors. Pure. */
import type { JobRow } from "@/lib/api/schema";

/**
 * Those that fit what is typed. The answer to an older search is shown until the new one is there: who types and
 * presses Enter at once must not get a job that they did not ask for.
 */
export function offered(jobs: readonly JobRow[], typed: string, chosen: readonly number[]): JobRow[] {
  const wanted = typed.trim().toLowerCase();
  return jobs.filter(({ index, id, ref, name, owner }) => {
    if (index != null || chosen.includes(id)) return false;
    return [ref, name, owner].some((text) => text.toLowerCase().includes(wanted));
  });
}
