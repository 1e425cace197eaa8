import { expect, it } from "vitest";
import { nameOfFile } from "./run";

it("a backup is named after the minute it was begun", () => {
  expect(nameOfFile(new Date(2026, 0, 5, 9, 7))).toBe("danlu-20260105-0907.tar.gz");
  expect(nameOfFile(new Date(2026, 10, 16, 20, 4))).toBe("danlu-20261116-2004.tar.gz");
});
