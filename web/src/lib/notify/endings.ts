/** Which of my jobs have ended, and what is worth telling of it. Pure: events in, tellings out. */
import type { EventRow, JobState } from "../api/schema";
import { ENDED } from "../jobStates";

export interface Ending {
  /** The same in every tab, and another one for each end. */
  key: string;
  ref: string;
  state: JobState;
}

const MOST_REMEMBERED = 1000;

/** What an event carries may be anything. */
function isEnd(state: unknown): boolean {
  return ENDED.some((each) => each === state);
}

/** Hears every event, and says which of them are endings that their owner does not know of yet. */
export class Endings {
  private readonly stopped = new Set<number>();

  constructor(private readonly me: string) {}

  hear(event: EventRow): Ending | null {
    const { job, index, data, actor } = event;
    // The elements of an array end in hundreds; the array itself ends once.
    if (job === null || index != null || data.owner !== this.me) return null;
    if (event.kind === "job.stop_changed" || data.after === "stopping") this.noteStop(job, actor);
    if (event.kind !== "job.state" || !isEnd(data.after) || isEnd(data.before)) return null;
    const isOwnDoing = data.after === "cancelled" && (actor === this.me || this.stopped.has(job));
    this.stopped.delete(job);
    if (isOwnDoing) return null;
    return { key: `danlu ${job} ${event.at}`, ref: String(job), state: data.after as JobState };
  }

  private noteStop(job: number, actor: string | null): void {
    if (actor !== this.me) this.stopped.delete(job);
    else if (this.stopped.size < MOST_REMEMBERED) this.stopped.add(job);
  }
}

/** So many are told one by one; more than these in a moment make one telling. */
const MOST_ALONE = 3;

export type Telling =
  | { kind: "one"; tag: string; ending: Ending }
  | { kind: "many"; tag: string; count: number; failed: number };

/** What to tell of the jobs that ended in one moment. Of two with the same tag the browser shows one. */
export function tellingsOf(endings: readonly Ending[]): Telling[] {
  if (endings.length <= MOST_ALONE)
    return endings.map((ending) => ({ kind: "one", tag: ending.key, ending }));
  const failed = endings.filter(({ state }) => state !== "succeeded").length;
  return [{ kind: "many", tag: endings.at(-1)?.key ?? "", count: endings.length, failed }];
}
