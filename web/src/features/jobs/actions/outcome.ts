/** What became of an action on many jobs. */
import type { JobActionResult, JobRow } from "@/lib/api/schema";

export interface Refusal {
  ref: string;
  name: string;
  message: string;
}

export interface Outcome {
  done: number;
  refusals: Refusal[];
  /** The ids of copies that were made. */
  copies: number[];
}

export function outcomeOf(
  results: readonly JobActionResult[],
  jobs: readonly Pick<JobRow, "ref" | "name">[],
): Outcome {
  const names = new Map(jobs.map(({ ref, name }) => [ref, name]));
  return {
    done: results.filter(({ ok }) => ok).length,
    refusals: results
      .filter(({ ok }) => !ok)
      .map(({ ref, problem }) => ({ ref, name: names.get(ref) ?? "", message: problem?.message ?? "" })),
    copies: results.flatMap(({ id }) => (id === null || id === undefined ? [] : [id])),
  };
}

/** The first few by name, and how many more there are. One more is named rather than counted. */
export function nameFew<T>(jobs: readonly T[], few = 5): { named: readonly T[]; more: number } {
  const named = jobs.length <= few + 1 ? jobs : jobs.slice(0, few);
  return { named, more: jobs.length - named.length };
}

export function inParts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}
