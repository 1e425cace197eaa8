import { expect, test } from "vitest";
import { countNodes, isOfMany, nameNodes, nodesOf } from "./places";

test("every node of a job is named, many are counted", () => {
  expect(nodesOf({ node: "n1", on_nodes: ["n1", "n2"] })).toEqual(["n1", "n2"]);
  expect(nodesOf({ node: "n1", on_nodes: [] })).toEqual(["n1"]);
  expect(nodesOf({ node: null })).toEqual([]);
  expect(nameNodes(["n1", "n2"])).toBe("n1, n2");
  expect(nameNodes(["n1", "n2", "n3", "n4", "n5"])).toBe("n1, n2, n3, +2");
});

test("what a job has counts more than what it asked for", () => {
  expect(countNodes({ nodes: 2, nodes_min: 2, on_nodes: [] })).toBe("2");
  expect(countNodes({ nodes: 4, nodes_min: 1, on_nodes: [] })).toBe("1–4");
  expect(countNodes({ nodes: 4, nodes_min: 1, on_nodes: ["n1", "n2", "n3"] })).toBe("3");
  expect(isOfMany({ nodes: 1, on_nodes: ["n1"] })).toBe(false);
  expect(isOfMany({ nodes: 4, on_nodes: ["n1"] })).toBe(true);
});
