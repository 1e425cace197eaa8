import { expect, it } from "vitest";
import { arrange } from "./wallGrid";

it("puts the GPUs where they are largest", () => {
  expect(arrange(1, 4, 70, 45)).toEqual({ columns: 1, perRow: 2, small: false });
  expect(arrange(1, 8, 140, 22)).toEqual({ columns: 1, perRow: 8, small: false });
  expect(arrange(2, 4, 70, 45)).toEqual({ columns: 1, perRow: 4, small: false });
});

it("never makes a node too narrow for its name", () => {
  for (const nodes of [1, 2, 7, 50, 120, 400]) {
    for (const gpus of [0, 1, 4, 8, 16]) {
      const { columns, perRow, small } = arrange(nodes, gpus, 70, 45);
      expect(columns).toBeLessThanOrEqual(Math.min(nodes, small ? 14 : 11));
      expect(perRow).toBeLessThanOrEqual(Math.max(1, gpus));
    }
  }
});

it("keeps the cells of a large cluster large enough for their load", () => {
  const { columns, perRow } = arrange(50, 8, 70, 45);
  expect(70 / columns / perRow).toBeGreaterThan(2);
  expect((45 / Math.ceil(50 / columns) - 2.4) / Math.ceil(8 / perRow)).toBeGreaterThan(1.2);
});

it("writes smaller before the GPUs of very many nodes become lines", () => {
  expect(arrange(50, 8, 70, 45).small).toBe(false);
  const { columns, perRow, small } = arrange(200, 8, 70, 45);
  expect(small).toBe(true);
  expect((45 / Math.ceil(200 / columns) - 1.6) / Math.ceil(8 / perRow)).toBeGreaterThan(0.5);
});

it("does not give up where there is no room at all", () => {
  expect(arrange(3, 2, 0, 0).columns).toBe(1);
});
