import { describe, expect, it } from "vitest";
import type { GpuRow, NodeRow } from "@/lib/api/schema";
import { conditionOf, countConditions, foreignersOn, percentOf } from "./GpuCondition";
import type { Holders } from "./GpuHolders";

const holders: Holders = {
  1: { id: 1, owner: "li", name: "alone", share: false },
  2: { id: 2, owner: "li", name: "open", share: true },
};

function gpu(state: GpuRow["state"], jobs: number[] = []) {
  return { state, jobs };
}

describe("the condition of a GPU", () => {
  it("is busy with one job that has it for itself", () => {
    expect(conditionOf(gpu("used", [1]), holders)).toBe("busy");
  });
  it("is shared with several jobs, whatever they are", () => {
    expect(conditionOf(gpu("used", [1, 7]), holders)).toBe("shared");
  });
  it("is shared with a single job that shares", () => {
    expect(conditionOf(gpu("used", [2]), holders)).toBe("shared");
  });
  it("is busy while nothing is known about its job", () => {
    expect(conditionOf(gpu("used", [99]), holders)).toBe("busy");
  });
  it("is what the server says in every other case", () => {
    expect(conditionOf(gpu("faulty"), holders)).toBe("sick");
    for (const state of ["free", "foreign", "drained", "unmanaged", "lost"] as const) {
      expect(conditionOf(gpu(state), holders)).toBe(state);
    }
  });
});

it("counts every GPU exactly once", () => {
  const states = [gpu("used", [1]), gpu("used", [2]), gpu("free"), gpu("faulty"), gpu("lost")];
  const counts = countConditions([{ gpus: states } as NodeRow, { gpus: [gpu("free")] } as NodeRow], holders);
  expect(counts).toEqual({
    free: 2,
    busy: 1,
    shared: 1,
    foreign: 0,
    sick: 1,
    drained: 0,
    unmanaged: 0,
    lost: 1,
  });
});

it("names each stranger once, and what only draws when nothing computes there", () => {
  const on = (user: string, job: number | null, graphics = false) => ({
    pid: 1,
    user,
    command: "",
    memory_mb: 1,
    job,
    graphics,
  });
  expect(
    foreignersOn({ processes: [on("wu", null), on("wu", null), on("li", 4), on("root", null, true)] }),
  ).toEqual(["wu"]);
  expect(foreignersOn({ processes: [on("li", 4), on("root", null, true)] })).toEqual(["root"]);
});

it("has no per cent of what is not known", () => {
  expect(percentOf(null, 10)).toBeNull();
  expect(percentOf(3, 0)).toBeNull();
  expect(percentOf(12, 10)).toBe(100);
  expect(percentOf(5, 20)).toBe(25);
});
