/** The curves of a job's GPUs, grown by what the stream tells. */
import type { JobUsage, Readings } from "@/lib/api/schema";

/** A page that stays open for days draws no more points than these: the older half loses every second one. */
export const MOST_POINTS = 3000;

export function extendUsage(usage: JobUsage, readings: Readings): JobUsage {
  const node = readings.nodes.find(({ name }) => name === usage.node);
  const last = usage.times.at(-1) ?? 0;
  if (!node || usage.gpus.length === 0 || readings.at <= last) return usage;
  const { times, gpus } = usage.times.length < MOST_POINTS ? usage : thinOlderHalf(usage);
  return {
    ...usage,
    times: [...times, readings.at],
    gpus: gpus.map((gpu) => {
      const reading = node.gpus.find(({ index }) => index === gpu.index);
      return {
        ...gpu,
        load: [...gpu.load, reading?.load ?? null],
        used_mb: [...gpu.used_mb, reading?.used_mb ?? null],
      };
    }),
  };
}

function thinOlderHalf(usage: JobUsage): JobUsage {
  const half = usage.times.length / 2;
  // A point where nothing was known stays: it is what keeps a line from being drawn across.
  const isGap = (at: number) => usage.gpus.every((gpu) => gpu.load[at] === null && gpu.used_mb[at] === null);
  const kept = usage.times.map((_, at) => at >= half || at % 2 === 0 || isGap(at));
  const keep = <T>(column: readonly T[]) => column.filter((_, at) => kept[at]);
  return {
    ...usage,
    times: keep(usage.times),
    gpus: usage.gpus.map((gpu) => ({ ...gpu, load: keep(gpu.load), used_mb: keep(gpu.used_mb) })),
  };
}
