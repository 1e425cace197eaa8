import { expect, it } from "vitest";
import { reasonsOf } from "./reasons";

const behind = { code: "behind_in_queue", facts: {}, message: "It is number 2 in the queue, behind job 1." };
const paused = { code: "paused", facts: {}, message: "Scheduling is paused." };

it("says that a job is behind another only where the list does not show it", () => {
  const job = { area: "waiting" as const, why: [paused, behind] };
  expect(reasonsOf(job, true)).toBe(paused.message);
  expect(reasonsOf(job, false)).toBe(`${paused.message} ${behind.message}`);
  expect(reasonsOf({ area: "running", why: [paused] }, false)).toBe("");
});
