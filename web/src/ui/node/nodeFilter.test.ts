import { describe, expect, it } from "vitest";
import type { GpuRow, NodeRow } from "@/lib/api/schema";
import { CONDITIONS, countNodesBy, filterNodes, isFiltering, modelsOf, rolesOf } from "./nodeFilter";

function gpu(name: string, state: GpuRow["state"] = "free"): GpuRow {
  return { name, state, uuid: name, index: 0 } as GpuRow;
}

function node(name: string, facts: Partial<NodeRow> = {}): NodeRow {
  return {
    name,
    address: `10.0.0.${name.length}`,
    state: "up",
    role: "compute",
    drained: false,
    quarantine: "",
    out_of_service: "",
    gpus: [gpu("A100", "used")],
    findings: [],
    ...facts,
  } as NodeRow;
}

const NODES = [
  node("n1", { gpus: [gpu("A100")] }),
  node("n2", { drained: true, gpus: [gpu("RTX 4090", "drained")] }),
  node("n3", { quarantine: "it comes and goes", drained: true }),
  node("n4", { state: "lost", quarantine: "it comes and goes" }),
  node("n5", {
    findings: [{ check: "disk", code: "disk_full", facts: {}, level: "problem", message: "full" }],
  }),
  node("n6", { gpus: [gpu("A100", "faulty"), gpu("A100")] }),
  node("n7", { out_of_service: "its disk is full", drained: true }),
  node("login", { role: "login", gpus: [] }),
];
const names = (filter: Parameters<typeof filterNodes>[1]) =>
  filterNodes(NODES, filter).map(({ name }) => name);

describe("of many nodes", () => {
  it("those that are as the user wishes are found", () => {
    expect(names({})).toHaveLength(NODES.length);
    expect(names({ condition: "free" })).toEqual(["n1", "n6"]);
    expect(names({ condition: "attention" })).toEqual(["n3", "n4", "n5", "n6", "n7"]);
    expect(names({ model: "RTX 4090" })).toEqual(["n2"]);
    expect(names({ role: "login" })).toEqual(["login"]);
    expect(names({ text: " N3 " })).toEqual(["n3"]);
    expect(names({ text: "10.0.0.5" })).toEqual(["login"]);
    expect(names({ text: "n", condition: "lost", model: "A100" })).toEqual(["n4"]);
  });

  it("each is up, drained, quarantined, out of service or lost, and just one of them", () => {
    for (const each of NODES) {
      const said = (["up", "drained", "quarantined", "out_of_service", "lost"] as const).filter(
        (condition) => filterNodes([each], { condition }).length > 0,
      );
      expect(said, each.name).toHaveLength(1);
    }
    expect(countNodesBy(NODES)).toEqual({
      free: 2,
      attention: 5,
      up: 4,
      drained: 1,
      quarantined: 1,
      out_of_service: 1,
      lost: 1,
    });
    expect(Object.keys(countNodesBy([]))).toEqual([...CONDITIONS]);
  });

  it("what can be chosen from is what there is", () => {
    expect(modelsOf(NODES)).toEqual(["A100", "RTX 4090"]);
    expect(rolesOf(NODES)).toEqual(["compute", "login"]);
    expect(isFiltering({ text: "  " })).toBe(false);
    expect(isFiltering({ model: "A100" })).toBe(true);
  });
});
