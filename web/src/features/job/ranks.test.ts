import { expect, test } from "vitest";
import { rankState } from "./ranks";

const UNDER_WAY = { ended_at: null };
const OVER = { ended_at: 20 };
const task = { started_at: 10, ending: null, exit_code: null, signal: null };

test("a rank that cannot be reached may be doing anything", () => {
  expect(rankState(task, UNDER_WAY, true).word).toBe("rankUnreachable");
  expect(rankState(task, OVER, true).word).toBe("rankStopped");
  expect(rankState({ ...task, ending: "exited", exit_code: 0 }, UNDER_WAY, true).word).toBe("rankDone");
});

test.each([
  ["not begun", { ...task, started_at: null }, UNDER_WAY, "rankStarting"],
  ["running", task, UNDER_WAY, "rankRunning"],
  ["left when the attempt ended", task, OVER, "rankStopped"],
  ["done", { ...task, ending: "exited" as const, exit_code: 0 }, UNDER_WAY, "rankDone"],
  ["failed", { ...task, ending: "exited" as const, exit_code: 3 }, OVER, "rankFailed"],
  ["killed", { ...task, ending: "exited" as const, signal: 9 }, OVER, "rankFailed"],
  ["stopped with the others", { ...task, ending: "stopped" as const }, OVER, "rankStopped"],
  ["its node was lost", { ...task, ending: "node_lost" as const }, OVER, "rankLost"],
  ["its node stopped it", { ...task, ending: "lease_lost" as const }, OVER, "rankLost"],
  ["time limit", { ...task, ending: "time_limit" as const }, OVER, "rankFailed"],
])("%s", (_what, given, attempt, word) => {
  expect(rankState(given, attempt).word).toBe(word);
});
