/** What can be done with a job, by its state and by who looks at it. */
import type { JobDetail } from "@/lib/api/schema";
import { isEnded, isInQueue } from "@/lib/jobStates";

export type Action = "cancel" | "kill" | "hold" | "release" | "edit" | "delete";

const STOPS: readonly Action[] = ["cancel", "kill", "hold", "release"];

/** Of these actions those that the user has the right to: a mentor stops a job, and changes nothing of it. */
export function permitted(actions: readonly Action[], may: JobDetail["may"]): Action[] {
  return actions.filter((action) => may?.includes(STOPS.includes(action) ? "stop" : "change"));
}

/**
 * In the order in which they are offered, beside running it again. An element of an array goes with its array, but for being
 * cancelled.
 */
export function actionsFor({
  state,
  index,
  array,
}: Pick<JobDetail["job"], "state" | "index" | "array">): Action[] {
  const isElement = index !== null && index !== undefined;
  const isRunning = state === "starting" || state === "running" || Boolean(array?.active);
  const isStopping = state === "stopping";
  const cancel: Action[] = isStopping ? ["kill"] : isInQueue(state) || isRunning ? ["cancel"] : [];
  if (isElement) return cancel;
  const queue: Action[] = state === "waiting" ? ["hold"] : state === "held" ? ["release"] : [];
  const edit: Action[] = isInQueue(state) && !isRunning ? ["edit"] : [];
  const remove: Action[] = (isInQueue(state) || isEnded(state)) && !isRunning ? ["delete"] : [];
  return [...queue, ...edit, ...cancel, ...remove];
}
