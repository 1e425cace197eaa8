/** What of a job's page stands in the address. */
export interface JobSearch {
  attempt?: number;
  rank?: number;
  stream?: "stdout" | "stderr";
  /** Bytes of the log: of the first line that the link points to, and of the last where there are several. */
  at?: number;
  to?: number;
}

export function readJobSearch(raw: Record<string, unknown>): JobSearch {
  const attempt = Number(raw.attempt);
  const rank = Number(raw.rank);
  const at = readPlace(raw.at);
  const to = readPlace(raw.to);
  return {
    ...(Number.isInteger(attempt) && attempt > 0 ? { attempt } : {}),
    ...(Number.isInteger(rank) && rank > 0 ? { rank } : {}),
    ...(raw.stream === "stderr" ? { stream: "stderr" as const } : {}),
    ...(at !== null ? { at } : {}),
    ...(at !== null && to !== null && to > at ? { to } : {}),
  };
}

function readPlace(raw: unknown): number | null {
  const place = typeof raw === "number" || (typeof raw === "string" && raw) ? Number(raw) : Number.NaN;
  return Number.isSafeInteger(place) && place >= 0 ? place : null;
}
