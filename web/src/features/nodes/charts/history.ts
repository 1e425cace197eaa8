/** The last hour of a node, made longer by what the stream of events tells. */
import type { NodeHistory, Readings } from "@/lib/api/schema";

export const LONGEST_S = 3600;

/** What is remembered with a reading more, and without what is older than an hour. The same, if it is no news. */
export function extendHistory(history: NodeHistory, readings: Readings): NodeHistory {
  const reading = readings.nodes.find(({ name }) => name === history.node);
  const last = history.times.at(-1);
  if (!reading || (last !== undefined && readings.at <= last)) return history;

  const keptFrom = history.times.findIndex((at) => at > readings.at - LONGEST_S);
  const from = keptFrom < 0 ? history.times.length : keptFrom;
  function extend<T>(column: readonly (T | null)[], value: T | null | undefined): (T | null)[] {
    return [...column.slice(from), value ?? null];
  }

  const { usage } = reading;
  const now = new Map(reading.gpus.map((gpu) => [gpu.index, gpu]));
  const gpus = history.gpus.map((gpu) => {
    const fresh = now.get(gpu.index);
    now.delete(gpu.index);
    return {
      index: gpu.index,
      load: extend(gpu.load, fresh?.load),
      used_mb: extend(gpu.used_mb, fresh?.used_mb),
      temperature_c: extend(gpu.temperature_c, fresh?.temperature_c),
      power_w: extend(gpu.power_w, fresh?.power_w),
    };
  });
  // A GPU that was plugged in meanwhile has no past.
  const past = history.times.slice(from).map(() => null);
  for (const fresh of now.values()) {
    gpus.push({
      index: fresh.index,
      load: [...past, fresh.load],
      used_mb: [...past, fresh.used_mb],
      temperature_c: [...past, fresh.temperature_c],
      power_w: [...past, fresh.power_w],
    });
  }
  return {
    node: history.node,
    times: [...history.times.slice(from), readings.at],
    cpu_percent: extend(history.cpu_percent, usage?.cpu_percent),
    memory_used_mb: extend(history.memory_used_mb, usage?.memory_used_mb),
    network_in_bytes_s: extend(history.network_in_bytes_s, usage?.network_in_bytes_s),
    network_out_bytes_s: extend(history.network_out_bytes_s, usage?.network_out_bytes_s),
    gpus: gpus.sort((a, b) => a.index - b.index),
  };
}
