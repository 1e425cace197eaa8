/** The states of a job by where it stands: in the queue, on nodes, or at its end. */
import type { JobState } from "./api/schema";

export const IN_QUEUE: readonly JobState[] = ["waiting", "held"];
export const ON_NODES: readonly JobState[] = ["starting", "running", "stopping"];
export const ENDED: readonly JobState[] = ["succeeded", "failed", "cancelled"];

export function isInQueue(state: JobState): boolean {
  return IN_QUEUE.includes(state);
}

export function isOnNodes(state: JobState): boolean {
  return ON_NODES.includes(state);
}

export function isEnded(state: JobState): boolean {
  return ENDED.includes(state);
}
