import { expect, it } from "vitest";
import { gpuRanges } from "./GpuRanges";

it.each([
  [[], ""],
  [[2], "2"],
  [[0, 1], "0, 1"],
  [[3, 0, 1, 2], "0–3"],
  [[0, 1, 2, 5, 7, 8], "0–2, 5, 7, 8"],
])("writes %j as %s", (indices, text) => expect(gpuRanges(indices)).toBe(text));
