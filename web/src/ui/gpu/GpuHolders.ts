/** Whom the jobs on the GPUs belong to: nodes know them by their numbers only. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { jobListQuery } from "@/lib/api/queries";
import type { JobRow } from "@/lib/api/schema";

export type Holder = Pick<JobRow, "id" | "owner" | "name" | "share">;
export type Holders = Readonly<Record<number, Holder>>;

const NONE: Holders = {};
const RUNNING = jobListQuery({ area: "running", limit: 1000 });

export function holdersOf(jobs: readonly JobRow[]): Holders {
  return Object.fromEntries(jobs.map(({ id, owner, name, share }) => [id, { id, owner, name, share }]));
}

/** A holder stays the same object while nothing about it changes, so that cards can tell. */
export function useHolders(): Holders {
  const { data } = useQuery({
    ...RUNNING,
    placeholderData: keepPreviousData,
    select: ({ jobs }) => holdersOf(jobs),
  });
  return data ?? NONE;
}

export function useRunningJobs(): JobRow[] | undefined {
  return useQuery({ ...RUNNING, placeholderData: keepPreviousData, select: ({ jobs }) => jobs }).data;
}
