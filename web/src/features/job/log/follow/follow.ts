/** Follows a log as it grows: goes on by offset after a break, and leaves out what no user could read. */
import type { LogRecord, Outcome } from "@/lib/live/messages";

/** Opens the stream of a log from an offset. */
export type OpenStream = (offset: number, signal: AbortSignal) => Promise<ReadableStream<LogRecord>>;

export interface Followed {
  /** Where the next byte is wanted from. */
  offset(): number;
  onBytes(offset: number, bytes: Uint8Array): void;
  onEnd(outcome: Outcome): void;
  onStream(stream: StreamState): void;
  /** The log grows faster than a user reads: go to its end by yourself. Never asked for while the user does not watch. */
  skipAhead(): Promise<unknown>;
  /** Whether the new bytes are looked at. What comes meanwhile is taken only up to a limit. */
  isWatched(): boolean;
  /** Ask how long the log is by now; it is not read on, but who looks elsewhere is told. */
  measure(): Promise<unknown>;
}

/** `racing`: it grows faster than it is shown. `resting`: there is more, which the user does not look at. */
export type StreamState = "off" | "live" | "broken" | "racing" | "resting";

export const MOST_AT_ONCE = 512 * 1024;
const AT_ONCE_MS = 1000;
export const MOST_UNWATCHED = 192 * 1024;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const RACE_PAUSE_MS = 1000;
const MEASURE_PAUSE_MS = 2000;

type Stop = "ended" | "broken" | "racing" | "resting";

export class LogFollower {
  private stopping: AbortController | null = null;
  private wake: (() => void) | null = null;
  private isResting = false;

  constructor(
    private readonly open: OpenStream,
    private readonly followed: Followed,
  ) {}

  get isOn(): boolean {
    return this.stopping !== null;
  }

  start(): void {
    if (this.stopping) {
      this.isResting = false;
      this.wake?.();
      return;
    }
    this.stopping = new AbortController();
    void this.follow(this.stopping.signal);
  }

  /** Only see how long it becomes, until it is started. */
  startResting(): void {
    this.stop();
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    this.followed.onStream("resting");
    void this.rest(signal).then(() => this.follow(signal));
  }

  stop(): void {
    this.stopping?.abort();
    this.stopping = null;
    this.isResting = false;
    this.wake?.();
    this.followed.onStream("off");
  }

  /** The network is back: what is waited for because of it comes at once. A rest goes on. */
  hurry(): void {
    if (!this.isResting) this.wake?.();
  }

  private async follow(signal: AbortSignal): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const before = this.followed.offset();
      const stop = await this.listen(signal);
      if (signal.aborted) return;
      if (stop === "ended") {
        this.stopping = null;
        this.followed.onStream("off");
        return;
      }
      if (this.followed.offset() > before) pauseMs = FIRST_PAUSE_MS;
      this.followed.onStream(stop);
      if (stop === "resting") await this.rest(signal);
      else if (stop === "racing") {
        await this.pause(RACE_PAUSE_MS, signal);
        if (signal.aborted) return;
        if (this.followed.isWatched()) await this.followed.skipAhead().catch(() => {});
      } else {
        await this.pause(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  /** One connection, to its end. */
  private async listen(signal: AbortSignal): Promise<Stop> {
    const connection = new AbortController();
    const forward = () => connection.abort();
    signal.addEventListener("abort", forward);
    const speed = new Speed();
    let unwatched = 0;
    try {
      const stream = await this.open(this.followed.offset(), connection.signal);
      const reader = stream.getReader();
      this.followed.onStream("live");
      while (true) {
        const { value, done } = await reader.read();
        if (signal.aborted || done) return "broken";
        if (value.event === "end") {
          this.followed.onEnd(value);
          return "ended";
        }
        const { offset, bytes } = value;
        this.followed.onBytes(offset, bytes);
        const isWatched = this.followed.isWatched();
        const isFast = speed.add(bytes.length, performance.now()) > MOST_AT_ONCE;
        if (isFast && isWatched) return "racing";
        unwatched = isWatched ? 0 : unwatched + bytes.length;
        if (unwatched > MOST_UNWATCHED) return "resting";
      }
    } catch {
      return "broken";
    } finally {
      signal.removeEventListener("abort", forward);
      connection.abort();
    }
  }

  private pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (signal.aborted) resolve();
    });
  }

  private async rest(signal: AbortSignal): Promise<void> {
    this.isResting = true;
    while (this.isResting && !signal.aborted) {
      // A server that is away for a moment is no reason to disturb who reads.
      await this.followed.measure().catch(() => {});
      if (this.isResting) await this.pause(MEASURE_PAUSE_MS, signal);
    }
  }
}

/** Bytes within the last moment. */
export class Speed {
  private readonly heard: [at: number, bytes: number][] = [];
  private sum = 0;

  add(bytes: number, at: number): number {
    this.heard.push([at, bytes]);
    this.sum += bytes;
    while (this.heard[0] && this.heard[0][0] < at - AT_ONCE_MS) this.sum -= this.heard.shift()?.[1] ?? 0;
    return this.sum;
  }
}
