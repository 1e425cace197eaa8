import { expect, test } from "vitest";
import { keys } from "../api/queries";
import { staleInQueue } from "./staleness";

test("when jobs move in the queue, those that wait are asked about again, and no others", () => {
  const entries = [
    [keys.job("1"), { job: { state: "waiting" } }],
    [keys.job("2"), { job: { state: "running" } }],
    [keys.jobEvents("1"), { events: [] }],
    [keys.job("3"), undefined],
  ] as const;
  expect(staleInQueue(entries)).toEqual([keys.jobs, keys.job("1")]);
});
