import { expect, it } from "vitest";
import { shortTime } from "./shortTime";

const noon = new Date(2025, 10, 16, 12, 5).getTime() / 1000;

it("tells the time of today, and the day as well of another day", () => {
  expect(shortTime(noon, noon + 60, "en")).toBe("12:05");
  expect(shortTime(noon, noon + 3 * 86400, "en")).toContain("16 Nov");
  expect(shortTime(noon, noon + 3 * 86400, "zh")).toContain("11月16日");
});
