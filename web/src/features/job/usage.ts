/** The curves of a job's GPUs, grown by what the stream tells. */
import type { JobUsage, Readings } from "@/lib/api/schema";

const LONGEST_S = 3600;

export function extendUsage(usage: JobUsage, readings: Readings): JobUsage {
  const node = readings.nodes.find(({ name }) => name === usage.node);
  const last = usage.times.at(-1) ?? 0;
  if (!node || usage.gpus.length === 0 || readings.at <= last) return usage;
  const from = usage.times.findIndex((at) => at >= readings.at - LONGEST_S);
  const kept = from < 0 ? usage.times.length : from;
  return {
    ...usage,
    times: [...usage.times.slice(kept), readings.at],
    gpus: usage.gpus.map((gpu) => {
      const reading = node.gpus.find(({ index }) => index === gpu.index);
      return {
        ...gpu,
        load: [...gpu.load.slice(kept), reading?.load ?? null],
        used_mb: [...gpu.used_mb.slice(kept), reading?.used_mb ?? null],
      };
    }),
  };
}
