/** What of a job's page stands in the address. */
export interface JobSearch {
  attempt?: number;
  rank?: number;
  stream?: "stdout" | "stderr";
}

export function readJobSearch(raw: Record<string, unknown>): JobSearch {
  const attempt = Number(raw.attempt);
  const rank = Number(raw.rank);
  return {
    ...(Number.isInteger(attempt) && attempt > 0 ? { attempt } : {}),
    ...(Number.isInteger(rank) && rank > 0 ? { rank } : {}),
    ...(raw.stream === "stderr" ? { stream: "stderr" as const } : {}),
  };
}
