import { expect, it } from "vitest";
import { goodCount, missingCount } from "./countTone";

it("is green only where there is something good", () => {
  expect(goodCount(3)).toBe("count-good");
  expect(goodCount(0)).toBe("");
});

it("is red only where something is missing", () => {
  expect(missingCount(1, 2)).toBe("count-bad");
  expect(missingCount(0, 2)).toBe("count-bad");
  expect(missingCount(2, 2)).toBe("");
  expect(missingCount(0, 0)).toBe("");
});
