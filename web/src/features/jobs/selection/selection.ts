/** Chosen rows: kept by ref, so that they stay chosen while the list changes around them. */
import type { JobRow, JobState, JobsMatching, Me } from "@/lib/api/schema";
import { maySubmit } from "@/lib/rights";
import type { AreaName } from "../address";

export type Chosen = ReadonlyMap<string, JobRow>;
export type ActionName = "cancel" | "hold" | "release" | "delete" | "resubmit";

export const NONE_CHOSEN: Chosen = new Map();

const IN_QUEUE: readonly JobState[] = ["waiting", "held"];
const ACTIVE: readonly JobState[] = ["starting", "running", "stopping"];
const OFFERED: Record<AreaName, readonly ActionName[]> = {
  waiting: ["hold", "release", "resubmit", "cancel", "delete"],
  running: ["resubmit", "cancel"],
  history: ["resubmit", "delete"],
};

/** Whether the page offers to touch it. A mentor's rights are known to the server alone, which decides anyway. */
export function mayTouch(me: Pick<Me, "name" | "role">, job: Pick<JobRow, "owner">): boolean {
  if (!maySubmit(me)) return false;
  return me.role === "admin" || me.role === "mentor" || job.owner === me.name;
}

export function toggle(chosen: Chosen, job: JobRow): Chosen {
  const changed = new Map(chosen);
  if (!changed.delete(job.ref)) changed.set(job.ref, job);
  return changed;
}

/** Everything from where the last choice was made to here, as shift-click does. */
export function extendTo(
  chosen: Chosen,
  rows: readonly JobRow[],
  from: string | null,
  to: string,
  me: Me,
): Chosen {
  const end = rows.findIndex(({ ref }) => ref === to);
  if (end < 0) return chosen;
  const begin = rows.findIndex(({ ref }) => ref === from);
  const [low, high] = begin < 0 ? [end, end] : [Math.min(begin, end), Math.max(begin, end)];
  return chooseAll(chosen, rows.slice(low, high + 1), me);
}

export function chooseAll(chosen: Chosen, rows: readonly JobRow[], me: Me): Chosen {
  const changed = new Map(chosen);
  for (const row of rows) if (mayTouch(me, row)) changed.set(row.ref, row);
  return changed;
}

/** The chosen ones as they are now, and how many of them the list no longer has. */
export function renew(chosen: Chosen, rows: readonly JobRow[]): { jobs: JobRow[]; gone: number } {
  if (chosen.size === 0) return { jobs: [], gone: 0 };
  const now = new Map(rows.map((row) => [row.ref, row]));
  const jobs = [...chosen.values()].map((job) => now.get(job.ref) ?? job);
  return { jobs, gone: jobs.filter(({ ref }) => !now.has(ref)).length };
}

/** Whether an action makes sense for a job in this state. */
export function suits(action: ActionName, state: JobState): boolean {
  switch (action) {
    case "hold":
      return state === "waiting";
    case "release":
      return state === "held";
    case "cancel":
      return IN_QUEUE.includes(state) || ACTIVE.includes(state);
    case "delete":
      return !ACTIVE.includes(state);
    case "resubmit":
      return true;
  }
}

/** What the bar offers in an area, and whether it would do anything to jobs in these states. */
export function offers(area: AreaName, states: readonly JobState[]): { action: ActionName; apt: boolean }[] {
  return OFFERED[area].map((action) => ({ action, apt: states.some((state) => suits(action, state)) }));
}

/** How many of all that match are theirs to act on; with an action, of those for which it means something. */
export function countYours({ yours }: Pick<JobsMatching, "yours">, action?: ActionName): number {
  return Object.entries(yours)
    .filter(([state]) => action === undefined || suits(action, state as JobState))
    .reduce((sum, [, count]) => sum + count, 0);
}
