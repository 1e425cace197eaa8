/** What of a job's page stands in the address. */
export interface JobSearch {
  attempt?: number;
  stream?: "stdout" | "stderr";
}

export function readJobSearch(raw: Record<string, unknown>): JobSearch {
  const attempt = Number(raw.attempt);
  return {
    ...(Number.isInteger(attempt) && attempt > 0 ? { attempt } : {}),
    ...(raw.stream === "stderr" ? { stream: "stderr" as const } : {}),
  };
}
