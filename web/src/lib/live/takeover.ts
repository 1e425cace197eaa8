/** When a tab takes the lead from another that has it. Pure. */
import type { Connection } from "./messages";

/** So many questions without an answer, and the tab that leads is frozen or hangs. */
export const MOST_UNANSWERED = 3;

export interface Situation {
  isVisible: boolean;
  unanswered: number;
  leaderIsVisible: boolean;
  connection: Connection;
}

/** Only a tab in view does so: the others may be asleep as well, and no user misses anything in them. */
export function shouldTakeOver({ isVisible, unanswered, leaderIsVisible, connection }: Situation): boolean {
  if (!isVisible) return false;
  // Browsers slow the clocks of hidden tabs down: one in view mends the connection sooner.
  const mendsSooner = connection === "broken" && !leaderIsVisible;
  return unanswered >= MOST_UNANSWERED || mendsSooner;
}
