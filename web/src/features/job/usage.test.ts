// @vitest-environment node
import { expect, test } from "vitest";
import type { JobUsage, Readings } from "@/lib/api/schema";
import { extendUsage, MOST_POINTS } from "./usage";

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
  return { at, queue_version: 0, nodes: [{ name, usage: null, gpus: [gpu] }] };
}

test("grows by the readings of its own node and GPUs", () => {
  const grown = extendUsage(usage, reading(104));
  expect(grown.times).toEqual([100, 102, 104]);
  expect(grown.gpus[0]).toMatchObject({ load: [10, 20, 90], used_mb: [1000, 2000, 3000] });
  expect(extendUsage(usage, reading(104, "n2"))).toBe(usage);
});

test("never goes back in time, and keeps its beginning", () => {
  expect(extendUsage(usage, reading(102))).toBe(usage);
  const later = extendUsage(usage, reading(90_000));
  expect(later.times).toEqual([100, 102, 90_000]);
});

test("a page that stays open for days draws a bounded number of points, and its gaps", () => {
  let grown = usage;
  for (let at = 0; at < 4 * MOST_POINTS; at += 1) grown = extendUsage(grown, reading(104 + 2 * at));
  expect(grown.times.length).toBeLessThanOrEqual(MOST_POINTS);
  expect(grown.times[0]).toBe(100);
  expect(grown.times.at(-1)).toBe(102 + 8 * MOST_POINTS);
  expect(grown.gpus[0]?.load.length).toBe(grown.times.length);

  const times = Array.from({ length: MOST_POINTS }, (_, at) => at);
  const load = times.map((at) => (at === 501 ? null : 5));
  const gapped = { ...usage, times, gpus: [{ index: 3, memory_mb: 1, load, used_mb: load }] };
  expect(extendUsage(gapped, reading(MOST_POINTS)).times).toContain(501);
});
