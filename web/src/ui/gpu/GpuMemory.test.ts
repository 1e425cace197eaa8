import { expect, it } from "vitest";
import { memoryOf } from "./GpuMemory";

it.each([
  [0, 24_576, "0 / 24 GB"],
  [300, 24_576, "0.3 / 24 GB"],
  [2_970, 24_576, "2.9 / 24 GB"],
  [70_000, 143_771, "68 / 140 GB"],
  [9_000, 2_097_152, "0 / 2 TB"],
  [100, 512, "100 / 512 MB"],
  [0, 0, "0 / 0 MB"],
])("writes %d MB of %d MB as %s", (used, total, text) => expect(memoryOf(used, total)).toBe(text));
