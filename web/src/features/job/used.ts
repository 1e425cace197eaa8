import type { JobRow } from "@/lib/api/schema";

/** How much of what was asked for was used, in percent; null where nothing was asked for. */
export function shareOf(used: number, asked: number | null | undefined): number | null {
  return asked ? Math.min(100, (100 * used) / asked) : null;
}

/** How many CPUs it kept busy on average; null where its attempts, or elements, ran at other times. */
export function cpusBusy(job: JobRow, cpuSeconds: number): number | null {
  const { started_at: from, ended_at: to } = job;
  if (job.array || job.attempt > 1 || from == null || to == null || to <= from) return null;
  return cpuSeconds / (to - from);
}
