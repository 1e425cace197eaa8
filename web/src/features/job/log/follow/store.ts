/** One log on a page: what is in memory of it, whether it is followed, and where the user wants to look. */
import { ApiError } from "@/lib/api/client";
import type { Outcome } from "@/lib/live/messages";
import type { Row } from "../text/lines";
import { LogPieces, type ReadPiece, type Sight } from "../text/pieces";
import { LogFollower, type OpenStream, type StreamState } from "./follow";

export interface LogState extends Sight {
  readonly stream: StreamState;
  /** The view stays at the end as the log grows. */
  readonly pinned: boolean;
  /** How long the log was when the view was stopped; null while it is at the end. */
  readonly heldAt: number | null;
  /** What has come, and is not shown while the view stands still: where it ends, and how many lines it ends. */
  readonly unread: { readonly end: number; readonly lines: number } | null;
  readonly outcome: Outcome | null;
  readonly problem: Error | null;
  /** Nothing was read yet. */
  readonly isFresh: boolean;
  /** Where to look, and a number that grows with each wish. */
  readonly target: { offset: number; number: number } | null;
}

const NEWLINE = 10;

export class LogStore {
  state: LogState;
  private readonly listeners = new Set<() => void>();
  private readonly pieces: LogPieces;
  private readonly follower: LogFollower;
  /** Not a pixel moves: what comes waits until the user scrolls on. */
  private isStill = false;
  private waiting: { offset: number; bytes: Uint8Array }[] = [];

  constructor(
    read: ReadPiece,
    open: OpenStream,
    /** The attempt is over: nothing more will come. */
    private ended: boolean,
  ) {
    this.pieces = new LogPieces(read, () => this.set(this.pieces.sight));
    this.follower = new LogFollower(open, {
      offset: () => this.state.unread?.end ?? this.pieces.sight.end,
      onBytes: (offset, bytes) => this.take(offset, bytes),
      onEnd: (outcome) => {
        this.ended = true;
        this.set({ outcome });
      },
      onStream: (stream) => this.set({ stream }),
      skipAhead: () => this.pieces.catchUp(),
      isWatched: () => this.state.pinned,
      measure: async () => {
        if (!document.hidden) await this.pieces.measure();
      },
    });
    this.state = {
      ...this.pieces.sight,
      stream: "off",
      pinned: true,
      heldAt: null,
      unread: null,
      outcome: null,
      problem: null,
      isFresh: true,
      target: null,
    };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private set(change: Partial<LogState>): void {
    const entries = Object.entries(change) as [keyof LogState, unknown][];
    if (entries.every(([key, value]) => this.state[key] === value)) return;
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  get atStart(): boolean {
    return this.pieces.atStart;
  }

  get atEnd(): boolean {
    return this.pieces.atEnd;
  }

  close(): void {
    this.follower.stop();
    this.listeners.clear();
  }

  /** To the end, and stay there. */
  async toEnd(): Promise<void> {
    this.pieces.isHeld = false;
    this.showOn();
    this.set({ pinned: true, heldAt: null, target: null });
    if (!this.state.isFresh && this.pieces.atEnd && this.state.stream !== "resting") {
      this.followOn();
      return;
    }
    this.follower.stop();
    await this.careful(() => (this.state.isFresh ? this.pieces.openEnd() : this.pieces.catchUp()));
    this.followOn();
  }

  private followOn(): void {
    if (!this.ended) this.follower.start();
  }

  /** Stay where we are, whatever comes. */
  pause(): void {
    if (!this.state.pinned) return;
    this.pieces.isHeld = true;
    this.isStill = true;
    this.set({ pinned: false, heldAt: this.state.size });
  }

  private take(offset: number, bytes: Uint8Array): void {
    if (!this.isStill) {
      this.pieces.append(offset, bytes);
      return;
    }
    this.waiting.push({ offset, bytes: bytes.slice() });
    const lines = bytes.reduce(
      (sum, byte) => sum + (byte === NEWLINE ? 1 : 0),
      this.state.unread?.lines ?? 0,
    );
    const end = offset + bytes.length;
    this.set({ unread: { end, lines }, size: Math.max(end, this.state.size) });
  }

  /** The user scrolls on: what has come meanwhile is shown below. */
  showOn(): void {
    this.isStill = false;
    const { waiting } = this;
    this.waiting = [];
    this.set({ unread: null });
    for (const { offset, bytes } of waiting) this.pieces.append(offset, bytes);
  }

  async goTo(offset: number): Promise<void> {
    const { isFresh } = this.state;
    this.pause();
    this.showOn();
    if (!this.pieces.holds(offset)) {
      if (this.ended) this.follower.stop();
      else this.follower.startResting();
      if (!(await this.careful(() => this.pieces.openAt(offset)))) return;
      // What was there before is not counted as having come since.
      if (isFresh) this.set({ heldAt: this.state.size });
    }
    this.set({ target: { offset, number: (this.state.target?.number ?? 0) + 1 } });
  }

  lookAt(top: number, bottom: number): void {
    this.pieces.lookAt(top, bottom);
  }

  /** The view comes near the first row. */
  needUp(): void {
    if (!this.pieces.atStart) void this.careful(() => this.pieces.growUp());
  }

  /** The view comes near the last row. */
  async needDown(): Promise<void> {
    if (this.isStill) return;
    if (this.follower.isOn && this.state.stream !== "resting") return;
    if (this.pieces.atEnd && this.ended) return;
    await this.careful(() => this.pieces.growDown());
    if (this.pieces.atEnd) this.followOn();
  }

  expand(row: Row, columns: number): Promise<unknown> {
    return this.careful(() => this.pieces.expand(row, columns));
  }

  hurry(): void {
    this.follower.hurry();
    if (this.state.problem instanceof ApiError && this.state.problem.status === 0) void this.tryAgain();
  }

  /** After a problem: from where we are. */
  async tryAgain(): Promise<void> {
    if (this.state.pinned) await this.toEnd();
    else if (await this.careful(() => this.pieces.growDown())) this.set({ problem: null });
  }

  private async careful(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      this.set({ problem: null, isFresh: false });
      return true;
    } catch (problem) {
      this.set({ problem: problem as Error });
      return false;
    }
  }
}
