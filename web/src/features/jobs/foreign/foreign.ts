/** Processes that Danlu did not start, on GPUs that it manages. */
import type { GpuProcessRow, NodeRow } from "@/lib/api/schema";

export interface ForeignProcess extends GpuProcessRow {
  node: string;
  gpu: number;
}

export function foreignProcesses(nodes: readonly NodeRow[]): ForeignProcess[] {
  return nodes.flatMap((node) =>
    node.gpus
      .filter(({ managed }) => managed)
      .flatMap((gpu) =>
        (gpu.processes ?? [])
          // What only draws a screen keeps no job from a GPU.
          .filter(({ job, graphics }) => (job === null || job === undefined) && !graphics)
          .map((process) => ({ ...process, node: node.name, gpu: gpu.index })),
      ),
  );
}
