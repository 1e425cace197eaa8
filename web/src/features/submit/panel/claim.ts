/** What the form may claim about the job's future: never more than the last check said about what stands there now. Pure. */
import type { JobCheck } from "@/lib/api/schema";

/** From here on, a result is asked for afresh, and no promise until the answer is there. */
export const OLD_AFTER_S = 60;

export interface Known {
  /** The last answer, whatever it was about. */
  check: Pick<JobCheck, "ok" | "starts" | "warnings"> | null;
  /** No answer came to the last question. */
  failed: boolean;
  /** The form has changed since, or a first answer is still to come. */
  pending: boolean;
  ageS: number;
  /** The page has no connection to the server. */
  away: boolean;
  sending: boolean;
  problems: number;
}

export type Tone = "free" | "foreign" | "idle" | "sick";

export type Claim =
  /** The form is closed, and on its way. */
  | "sending"
  /** The server could not be asked. */
  | "unreachable"
  /** Nothing is known yet. */
  | "checking"
  /** There is something to put right. */
  | "problems"
  /** Nothing to run yet. */
  | "empty"
  /** What was answered, as it was before the last change. */
  | "before"
  /** What was answered, a while ago. */
  | "old"
  | "fresh";

const TONES: Record<NonNullable<JobCheck["starts"]>, Tone> = { now: "free", later: "foreign", held: "idle" };

export function claimOf(known: Known): { claim: Claim; tone: Tone } {
  const { check, problems } = known;
  if (known.sending) return { claim: "sending", tone: "idle" };
  if (known.away || known.failed) return { claim: "unreachable", tone: "idle" };
  if (problems > 0) return { claim: "problems", tone: known.pending ? "idle" : "sick" };
  if (!check) return { claim: "checking", tone: "idle" };
  if (known.pending) return { claim: check.ok ? "before" : "checking", tone: "idle" };
  // What is wrong is not told before the user has begun; it is no reason for a promise either.
  if (!check.ok) return { claim: "empty", tone: "idle" };
  if (known.ageS > OLD_AFTER_S) return { claim: "old", tone: "idle" };
  const tone = check.starts ? TONES[check.starts] : "idle";
  // What may be missing, or could not be looked for, is no plain yes.
  return { claim: "fresh", tone: tone === "free" && check.warnings?.length ? "foreign" : tone };
}
