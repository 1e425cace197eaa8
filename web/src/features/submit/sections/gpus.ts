import { useQuery } from "@tanstack/react-query";
import { nodesQuery } from "@/lib/api/queries";
import type { NodeRow } from "@/lib/api/schema";

export interface GpuCounts {
  free: number;
  total: number;
}

export function countGpus(nodes: readonly NodeRow[], name = ""): GpuCounts {
  const gpus = nodes.filter((node) => !name || node.name === name).flatMap((node) => node.gpus);
  return { free: gpus.filter((gpu) => gpu.state === "free").length, total: gpus.length };
}

/** The GPUs there are, on all nodes or on one. */
export function useFreeGpus(name: string): GpuCounts {
  const { data: nodes = [] } = useQuery(nodesQuery);
  return countGpus(nodes, name);
}
