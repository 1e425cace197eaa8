import { describe, expect, it } from "vitest";
import type { GpuProcessRow, NodeRow } from "@/lib/api/schema";
import { foreignProcesses } from "./foreign";

function process(pid: number, rest: Partial<GpuProcessRow> = {}): GpuProcessRow {
  return { pid, user: "li", command: "python", memory_mb: 900, job: null, graphics: false, ...rest };
}

function node(processes: GpuProcessRow[], managed = true): NodeRow {
  return { name: "n1", gpus: [{ index: 2, managed, processes }] } as NodeRow;
}

describe("foreign processes", () => {
  it("are those without a job, with where they are", () => {
    const [found, ...others] = foreignProcesses([node([process(7), process(8, { job: 3 })])]);
    expect(found).toMatchObject({ pid: 7, node: "n1", gpu: 2 });
    expect(others).toEqual([]);
  });

  it("are of no interest where they only draw, or on GPUs that are not ours", () => {
    expect(foreignProcesses([node([process(7, { graphics: true })]), node([process(8)], false)])).toEqual([]);
  });
});
