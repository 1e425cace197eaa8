/** The page's one stream of events: opened once, resumed where it broke, its state visible. */
import { API_ROOT, type ApiError, fetchRaw } from "../api/client";
import type { EventRow, Readings } from "../api/schema";

export type Connection = "connecting" | "open" | "broken";

export interface Hello {
  after: number;
  server?: string;
  version?: string;
  /** Some of what happened since is not told any more. */
  reset?: boolean;
}

interface Listener {
  onEvent(event: EventRow): void;
  onReadings(readings: Readings): void;
  /** `anew`: more may have happened than is told: another server process answers, or old events are gone. */
  onHello(hello: Hello, anew: boolean): void;
  onConnection(state: Connection): void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
/** The server is heard at least every 15 s; a connection silent for much longer is dead. */
const SILENCE_MS = 45_000;

export class LiveStream {
  private source: EventSource | null = null;
  private lastId: number | null = null;
  private server: string | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(private readonly listener: Listener) {}

  open(): void {
    if (this.closed) return;
    const after = this.lastId === null ? "" : `&after=${this.lastId}`;
    const source = new EventSource(`${API_ROOT}/events?readings=true${after}`);
    this.source = source;
    this.hear();
    source.addEventListener("hello", (message) => this.greet(message));
    source.addEventListener("readings", (message) => {
      this.hear();
      this.listener.onReadings(JSON.parse(message.data));
    });
    source.addEventListener("ping", () => this.hear());
    for (const kind of KINDS) source.addEventListener(kind, (message) => this.pass(message));
    source.onerror = () => this.breakOff();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.watchdog);
    this.source?.close();
  }

  /** Try at once: the network is back, or somebody has just signed in. */
  reconnect(): void {
    if (this.closed) return;
    clearTimeout(this.retry);
    this.source?.close();
    this.pauseMs = FIRST_PAUSE_MS;
    this.open();
  }

  private greet(message: MessageEvent<string>): void {
    this.hear();
    this.pauseMs = FIRST_PAUSE_MS;
    const hello: Hello = JSON.parse(message.data);
    const anew = (this.server !== undefined && hello.server !== this.server) || hello.reset === true;
    // A restored or emptied database may be behind what we have seen: what it says now is what counts.
    this.lastId = hello.after;
    this.server = hello.server;
    this.listener.onHello(hello, anew);
    this.listener.onConnection("open");
  }

  private pass(message: MessageEvent<string>): void {
    this.hear();
    const event: EventRow = JSON.parse(message.data);
    this.lastId = event.id;
    this.listener.onEvent(event);
  }

  private hear(): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.breakOff(), SILENCE_MS);
  }

  private breakOff(): void {
    this.source?.close();
    clearTimeout(this.watchdog);
    if (this.closed) return;
    this.listener.onConnection("broken");
    this.retry = setTimeout(() => this.probe(), this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** An EventSource does not say why it failed; a plain request tells a lost session from a lost server. */
  private async probe(): Promise<void> {
    try {
      await fetchRaw("/me");
      this.open();
    } catch (error) {
      if ((error as ApiError).status === 401) return; // whoever signs in again reconnects
      this.breakOff();
    }
  }
}

export const KINDS: readonly EventRow["kind"][] = [
  "job.submitted",
  "job.edited",
  "job.moved",
  "job.state",
  "job.stop_changed",
  "job.task",
  "job.dependency_dropped",
  "node.up",
  "node.changed",
  "node.lost",
  "node.quarantined",
  "node.out_of_service",
  "node.in_service",
  "node.declared_dead",
  "node.removed",
  "node.drained",
  "node.undrained",
  "gpu.drained",
  "gpu.undrained",
  "gpu.added",
  "gpu.removed",
  "gpu.slots",
  "gpu.fault",
  "gpu.recovered",
  "scheduling.changed",
  "settings.changed",
  "disk.changed",
  "user.changed",
  "backup.made",
];
