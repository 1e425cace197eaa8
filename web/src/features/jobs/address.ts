/** What of the lists stands in the address. */
import type { EndReason, JobState } from "@/lib/api/schema";
import { ENDED, IN_QUEUE, ON_NODES } from "@/lib/jobStates";

export type AreaName = "waiting" | "running" | "history";
export type SortName = "newest" | "oldest" | "longest" | "name" | "owner";

export interface JobsSearch {
  area?: AreaName;
  search?: string;
  owner?: string;
  mine?: boolean;
  state?: JobState;
  end_reason?: EndReason;
  /** `project=vit`, or `project` for whatever value. */
  tag?: string;
  sort?: SortName;
}

export const AREAS: readonly AreaName[] = ["waiting", "running", "history"];
export const SORTS: readonly SortName[] = ["newest", "oldest", "longest", "name", "owner"];
/** What can be seen in each area, to choose from. */
export const STATES: Record<AreaName, readonly JobState[]> = {
  waiting: IN_QUEUE,
  running: ON_NODES,
  history: ENDED,
};
/** How a job in history may have ended. What sends it back to the queue is no end. */
export const REASONS: readonly EndReason[] = [
  "completed",
  "exit_code",
  "signal",
  "out_of_memory",
  "time_limit",
  "cancelled",
  "tasks_failed",
  "gpu_fault",
  "node_lost",
  "node_rebooted",
  "vanished",
  "launch_failed",
  "directory_missing",
  "output_unwritable",
  "environment_missing",
  "stage_missing",
  "stage_forbidden",
  "stage_full",
  "stage_failed",
  "command_unrunnable",
  "no_account",
  "not_started",
];

function text(value: unknown): string | undefined {
  // A search for "2024" comes back from the address as a number.
  const said = typeof value === "number" ? String(value) : value;
  return typeof said === "string" && said.trim() ? said : undefined;
}

export function readJobsSearch(raw: Record<string, unknown>): JobsSearch {
  const area = text(raw.area);
  const sort = text(raw.sort);
  const read: JobsSearch = {
    area: AREAS.find((each) => each === area),
    search: text(raw.search),
    owner: text(raw.owner),
    mine: raw.mine === true || raw.mine === "true" ? true : undefined,
    state: Object.values(STATES)
      .flat()
      .find((each) => each === raw.state),
    end_reason: REASONS.find((each) => each === raw.end_reason),
    tag: text(raw.tag),
    sort: SORTS.find((each) => each === sort),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** The same wish in another area, without what only makes sense in this one. */
export function inArea(search: JobsSearch, area: AreaName): JobsSearch {
  const { state, end_reason, ...rest } = search;
  return { ...rest, area };
}

/** Where a user who names no area is taken: to what runs, else to what waits, else to what has been. */
export function bestArea(counts: Readonly<Record<string, number>>): AreaName {
  return (["running", "waiting"] as const).find((area) => counts[area]) ?? "history";
}

/** How many filters narrow the list; the order is none. */
export function countFilters({ search, owner, mine, state, end_reason, tag }: JobsSearch): number {
  return [search, owner, mine, state, end_reason, tag].filter(Boolean).length;
}

export function withoutFilters({ area, sort }: JobsSearch): JobsSearch {
  return { ...(area && { area }), ...(sort && { sort }) };
}

/** The queue as it is, whole and in its own order: only there does a place in it mean something. */
export function isWholeQueue(search: JobsSearch): boolean {
  return search.area === "waiting" && countFilters(search) === 0 && search.sort === undefined;
}
