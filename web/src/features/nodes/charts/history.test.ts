import { describe, expect, it } from "vitest";
import type { NodeHistory, NodeUsage, Readings } from "@/lib/api/schema";
import { extendHistory } from "./history";

const usage: NodeUsage = {
  cpu_percent: 50,
  load_1m: 1,
  memory_used_mb: 700,
  memory_total_mb: 1000,
  network_in_bytes_s: 10,
  network_out_bytes_s: 20,
  disks: [],
};

function gpuReading(index: number, load: number | null) {
  return { index, state: "used" as const, load, used_mb: 5, temperature_c: 60, power_w: 100, processes: [] };
}

function history(times: number[]): NodeHistory {
  const column = times.map(() => 1);
  return {
    node: "n1",
    times,
    cpu_percent: column,
    memory_used_mb: column,
    network_in_bytes_s: column,
    network_out_bytes_s: column,
    gpus: [{ index: 0, load: column, used_mb: column, temperature_c: column, power_w: column }],
  };
}

function readings(at: number, ...gpus: ReturnType<typeof gpuReading>[]): Readings {
  return { at, queue_version: 0, nodes: [{ name: "n1", usage, gpus }] };
}

/** Every column is as long as the times. */
function isEven(it: NodeHistory): boolean {
  const columns = [
    it.cpu_percent,
    it.memory_used_mb,
    it.network_in_bytes_s,
    it.network_out_bytes_s,
    ...it.gpus.flatMap((gpu) => [gpu.load, gpu.used_mb, gpu.temperature_c, gpu.power_w]),
  ];
  return columns.every(({ length }) => length === it.times.length);
}

describe("a history that goes on", () => {
  it("ends with what was read last", () => {
    const longer = extendHistory(history([100, 105]), readings(107, gpuReading(0, 88)));
    expect(longer.times).toEqual([100, 105, 107]);
    expect(longer.cpu_percent.at(-1)).toBe(50);
    expect(longer.gpus[0]?.load).toEqual([1, 1, 88]);
    expect(isEven(longer)).toBe(true);
  });

  it("forgets what is older than an hour", () => {
    const longer = extendHistory(history([100, 200, 300]), readings(3800, gpuReading(0, 1)));
    expect(longer.times).toEqual([300, 3800]);
    expect(isEven(longer)).toBe(true);
  });

  it("begins anew after more than an hour of nothing", () => {
    expect(extendHistory(history([100]), readings(9000, gpuReading(0, 1))).times).toEqual([9000]);
  });

  it("has gaps where nothing is known", () => {
    const lost: Readings = { at: 110, queue_version: 0, nodes: [{ name: "n1", usage: null, gpus: [] }] };
    const longer = extendHistory(history([100]), lost);
    expect(longer.cpu_percent).toEqual([1, null]);
    expect(longer.gpus[0]?.load).toEqual([1, null]);
    expect(isEven(longer)).toBe(true);
  });

  it("takes in a GPU that was plugged in meanwhile", () => {
    const longer = extendHistory(history([100, 105]), readings(107, gpuReading(0, 1), gpuReading(1, 9)));
    expect(longer.gpus[1]?.load).toEqual([null, null, 9]);
    expect(isEven(longer)).toBe(true);
  });

  it("is the same object when there is no news for it", () => {
    const before = history([100]);
    expect(extendHistory(before, { at: 110, queue_version: 0, nodes: [] })).toBe(before);
    expect(extendHistory(before, readings(100, gpuReading(0, 1)))).toBe(before);
  });
});
