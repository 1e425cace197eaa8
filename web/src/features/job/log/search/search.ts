/** Looking for something in a log on the server, call after call, until it is found or there is no more to search. */
import { answer, api } from "@/lib/api/client";
import type { LogMatch, LogMatches } from "@/lib/api/schema";
import type { LogName } from "../follow/source";

export interface Question {
  /** What to look for; null: signs of trouble. */
  text: string | null;
  offset?: number;
  backward?: boolean;
  limit: number;
}

export type Ask = (question: Question, signal: AbortSignal) => Promise<LogMatches>;

/** Asks the server about one log. */
export function askFor({ ref, attempt, rank, stream }: LogName): Ask {
  return ({ text, offset, backward, limit }, signal) => {
    const query = {
      attempt,
      rank,
      stream,
      limit,
      offset,
      direction: backward ? ("backward" as const) : ("forward" as const),
      ...(text === null ? { kind: "error" as const } : { text }),
    };
    return answer(
      api.GET("/api/v1/jobs/{job_id}/log/search", { params: { path: { job_id: ref }, query }, signal }),
    );
  };
}

export interface Finding {
  match: LogMatch;
  /** It was found only after beginning again at the other end. */
  isAround: boolean;
}

/** The next place, or the one before; begins again at the other end where there is none. */
export async function find(
  ask: Ask,
  text: string | null,
  from: number,
  backward: boolean,
  signal: AbortSignal,
) {
  const ahead = await walk(ask, { text, offset: from, backward, limit: 1 }, signal);
  if (ahead) return { match: ahead, isAround: false } satisfies Finding;
  const around = await walk(ask, { text, backward, limit: 1 }, signal);
  return around && ({ match: around, isAround: true } satisfies Finding);
}

async function walk(ask: Ask, question: Question, signal: AbortSignal): Promise<LogMatch | null> {
  let offset = question.offset;
  while (true) {
    const { matches, next } = await ask({ ...question, offset }, signal);
    if (matches[0]) return matches[0];
    if (next === null || next === offset) return null;
    offset = next;
  }
}

export const MOST_COUNTED = 1000;

export interface Count {
  /** Where they are, in order. */
  offsets: readonly number[];
  /** All of the log was searched. */
  isWhole: boolean;
}

/** Counts the places in all of the log, telling as it goes; gives up counting where there are very many. */
export async function count(
  ask: Ask,
  text: string,
  signal: AbortSignal,
  tell: (count: Count) => void,
): Promise<void> {
  let offset: number | undefined;
  const offsets: number[] = [];
  while (offsets.length < MOST_COUNTED) {
    const { matches, next } = await ask({ text, offset, limit: 200 }, signal);
    offsets.push(...matches.map((match) => match.offset));
    const isWhole = next === null || next === offset;
    tell({ offsets: [...offsets], isWhole });
    if (isWhole) return;
    offset = next;
  }
}

/** Which of the counted places this one is, from 1; null when it lies behind what was counted. */
export function placeOf({ offsets }: Count, offset: number): number | null {
  const at = offsets.indexOf(offset);
  return at < 0 ? null : at + 1;
}
