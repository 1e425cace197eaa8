/** The neighbours of a job that are drawn, and where. */
import type { JobDetail } from "@/lib/api/schema";

/** `ok`: it must succeed; `any`: it only has to end. */
export type Edge = "ok" | "any";

export interface Neighbour {
  id: number;
  edge: Edge;
}

export const MOST_DRAWN = 3;

export function neighboursOf({
  after,
  after_ok,
  successors,
}: Pick<JobDetail, "after" | "after_ok" | "successors">) {
  const all: Neighbour[] = [
    ...after_ok.map((id) => ({ id, edge: "ok" as const })),
    ...after.map((id) => ({ id, edge: "any" as const })),
  ];
  return {
    before: all.slice(0, MOST_DRAWN),
    moreBefore: Math.max(0, all.length - MOST_DRAWN),
    after: successors.slice(0, MOST_DRAWN).map((id): Neighbour => ({ id, edge: "any" })),
    moreAfter: Math.max(0, successors.length - MOST_DRAWN),
  };
}

/** The middle of a box among so many, in percent of the width. */
export function edgeX(at: number, count: number): number {
  return ((at + 0.5) / count) * 100;
}
