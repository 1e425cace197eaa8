import { describe, expect, it } from "vitest";
import { askedPart, whenWritten } from "./times";

const samples = [
  { offset: 0, at: 100 },
  { offset: 50, at: 101 },
  { offset: 90, at: 107 },
];

describe("when a line was written", () => {
  it.each([
    [1, { after: 100, by: 101 }],
    [50, { after: 100, by: 101 }],
    [51, { after: 101, by: 107 }],
    [90, { after: 101, by: 107 }],
  ])("is between two looks at the log: one that ends at %i", (end, written) => {
    expect(whenWritten(samples, end)).toEqual(written);
  });
  it("is not known behind the last look, nor before the first", () => {
    expect(whenWritten(samples, 91)).toBeNull();
    expect(whenWritten(samples.slice(1), 20)).toBeNull();
    expect(whenWritten([], 1)).toBeNull();
  });
  it("is asked for around what is in view", () => {
    const part = askedPart(1_000_000, 1_004_000);
    expect(part.begin).toBeLessThan(1_000_000 - 200_000);
    expect(part.end).toBeGreaterThan(1_004_000 + 200_000);
    expect(askedPart(1_000_100, 1_004_100)).toEqual(part);
    expect(askedPart(0, 10).begin).toBe(0);
  });
});
