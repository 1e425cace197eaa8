/** What a GPU is doing, in the one word that a person wants to know first. */
import type { GpuRow, NodeRow } from "@/lib/api/schema";
import { GPU_TONES } from "../look/tones";
import type { Holders } from "./GpuHolders";

export type Condition = keyof typeof GPU_TONES;
export const CONDITIONS = Object.keys(GPU_TONES) as readonly Condition[];

export function conditionOf(gpu: Pick<GpuRow, "state" | "jobs">, holders: Holders): Condition {
  switch (gpu.state) {
    case "used":
      return isShared(gpu.jobs ?? [], holders) ? "shared" : "busy";
    case "faulty":
      return "sick";
    default:
      return gpu.state;
  }
}

/** Several are on it already, or the one that is lets others come. */
function isShared(jobs: readonly number[], holders: Holders): boolean {
  return jobs.length > 1 || jobs.some((id) => holders[id]?.share === true);
}

export type ConditionCounts = Record<Condition, number>;

export function countConditions(nodes: readonly NodeRow[], holders: Holders): ConditionCounts {
  const counts = Object.fromEntries(CONDITIONS.map((each) => [each, 0])) as ConditionCounts;
  for (const node of nodes) for (const gpu of node.gpus) counts[conditionOf(gpu, holders)] += 1;
  return counts;
}

/** Who is on a GPU whom Danlu did not put there: those that compute, or else those that only draw. */
export function foreignersOn(gpu: Pick<GpuRow, "processes">): string[] {
  const strangers = (gpu.processes ?? []).filter(({ job }) => (job ?? null) === null);
  const computing = strangers.filter(({ graphics }) => !graphics);
  return [...new Set((computing.length > 0 ? computing : strangers).map(({ user }) => user))];
}

/** A part of a whole in per cent, never beyond; null when one of them is not known. */
export function percentOf(part: number | null | undefined, whole: number | null | undefined): number | null {
  if (part === null || part === undefined || !whole) return null;
  return Math.min(100, Math.max(0, (100 * part) / whole));
}
