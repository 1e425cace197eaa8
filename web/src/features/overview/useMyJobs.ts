import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { jobListQuery } from "@/lib/api/queries";

const FEW = 5;

function useMine(area: "running" | "waiting" | "history") {
  return useQuery({ ...jobListQuery({ area, mine: true, limit: FEW }), placeholderData: keepPreviousData });
}

/** What runs, what waits and what has ended, of this user. */
export function useMyJobs() {
  return [useMine("running"), useMine("waiting"), useMine("history")] as const;
}
