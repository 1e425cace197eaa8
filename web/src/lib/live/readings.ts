/** Fresh readings laid over the nodes as they were last asked for. */
import type { GpuRow, NodeRow, Readings } from "../api/schema";

export function applyReadings(nodes: NodeRow[], readings: Readings): NodeRow[] {
  const fresh = new Map(readings.nodes.map((node) => [node.name, node]));
  return nodes.map((node) => {
    const reading = fresh.get(node.name);
    if (!reading) return node;
    const gpus = new Map(reading.gpus.map((gpu) => [gpu.index, gpu]));
    return {
      ...node,
      usage: reading.usage,
      gpus: node.gpus.map((gpu): GpuRow => ({ ...gpu, ...gpus.get(gpu.index) })),
    };
  });
}
