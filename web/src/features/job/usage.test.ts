// @vitest-environment node
import { expect, test } from "vitest";
import type { JobUsage, Readings } from "@/lib/api/schema";
import { extendUsage } from "./usage";

const usage: JobUsage = {
  node: "n1",
  times: [100, 102],
  gpus: [{ index: 3, memory_mb: 24_576, load: [10, 20], used_mb: [1000, 2000] }],
};

function reading(at: number, name = "n1"): Readings {
  const gpu = {
    index: 3,
    load: 90,
    used_mb: 3000,
    temperature_c: 60,
    power_w: 200,
    state: "used" as const,
    processes: [],
  };
  return { at, nodes: [{ name, usage: null, gpus: [gpu] }] };
}

test("grows by the readings of its own node and GPUs", () => {
  const grown = extendUsage(usage, reading(104));
  expect(grown.times).toEqual([100, 102, 104]);
  expect(grown.gpus[0]).toMatchObject({ load: [10, 20, 90], used_mb: [1000, 2000, 3000] });
  expect(extendUsage(usage, reading(104, "n2"))).toBe(usage);
});

test("never goes back in time, and forgets after an hour", () => {
  expect(extendUsage(usage, reading(102))).toBe(usage);
  const later = extendUsage(usage, reading(3701));
  expect(later.times).toEqual([102, 3701]);
  expect(later.gpus[0]?.load).toEqual([20, 90]);
});
