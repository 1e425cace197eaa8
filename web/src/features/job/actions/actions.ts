/** What can be done with a job, by its state and by who looks at it. */
import type { JobDetail, Me } from "@/lib/api/schema";
import { isEnded, isInQueue } from "@/lib/jobStates";
import { maySubmit } from "@/lib/rights";

export type Action = "cancel" | "kill" | "hold" | "release" | "edit" | "delete";

/** Its content is theirs to see and to change; a user who only looks changes nothing. */
export function mayTouch(detail: Pick<JobDetail, "mine">, me: Pick<Me, "role">): boolean {
  return detail.mine && maySubmit(me);
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
