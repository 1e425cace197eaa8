/** How one task of several fares. Pure. */
import type { AttemptRow, TaskRow } from "@/lib/api/schema";

interface RankState {
  tone: "free" | "busy" | "idle" | "sick";
  word:
    | "rankStarting"
    | "rankRunning"
    | "rankDone"
    | "rankFailed"
    | "rankStopped"
    | "rankLost"
    | "rankUnreachable";
}

export function rankState(
  task: Pick<TaskRow, "started_at" | "ending" | "exit_code" | "signal">,
  attempt: Pick<AttemptRow, "ended_at">,
  isNodeLost = false,
): RankState {
  switch (task.ending) {
    case null:
    case undefined:
      if (attempt.ended_at != null) return { tone: "idle", word: "rankStopped" };
      if (isNodeLost) return { tone: "sick", word: "rankUnreachable" };
      return task.started_at == null
        ? { tone: "idle", word: "rankStarting" }
        : { tone: "busy", word: "rankRunning" };
    case "exited":
      return task.exit_code === 0 ? { tone: "free", word: "rankDone" } : { tone: "sick", word: "rankFailed" };
    case "stopped":
    case "never_started":
      return { tone: "idle", word: "rankStopped" };
    case "node_lost":
    case "lease_lost":
    case "rebooted":
      return { tone: "sick", word: "rankLost" };
    default:
      return { tone: "sick", word: "rankFailed" };
  }
}
