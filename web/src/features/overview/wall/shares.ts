/** Who holds how many GPUs. */
import type { NodeRow } from "@/lib/api/schema";
import type { Holders } from "@/ui/gpu/GpuHolders";

export interface Share {
  owner: string;
  gpus: number;
}

/** The most first. A GPU that several share counts for each of their owners. */
export function sharesOf(nodes: readonly NodeRow[], holders: Holders): Share[] {
  const counts = new Map<string, number>();
  for (const gpu of nodes.flatMap(({ gpus }) => gpus)) {
    const owners = (gpu.jobs ?? []).map((id) => holders[id]?.owner ?? (id === gpu.job ? gpu.user : null));
    for (const owner of new Set(owners)) if (owner) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return [...counts]
    .map(([owner, gpus]) => ({ owner, gpus }))
    .sort((a, b) => b.gpus - a.gpus || a.owner.localeCompare(b.owner));
}
