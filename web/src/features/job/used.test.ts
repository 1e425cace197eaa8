import { expect, test } from "vitest";
import type { JobRow } from "@/lib/api/schema";
import { cpusBusy, shareOf } from "./used";

test("a share of what was asked for", () => {
  expect(shareOf(1, 4)).toBe(25);
  expect(shareOf(8, 4)).toBe(100);
  expect(shareOf(8, 0)).toBeNull();
});

test("the CPUs that one attempt kept busy", () => {
  const job = { started_at: 10, ended_at: 20, attempt: 1 } as JobRow;
  expect(cpusBusy(job, 15)).toBe(1.5);
  expect(cpusBusy({ ...job, attempt: 2 }, 15)).toBeNull();
  expect(cpusBusy({ ...job, ended_at: null }, 15)).toBeNull();
});
