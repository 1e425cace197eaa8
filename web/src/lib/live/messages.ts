/** What tabs and the hub of all tabs say to each other. */
import type { EventRow, Problem, Readings, ServerLogEntry } from "../api/schema";

export type Connection = "connecting" | "open" | "broken";

/** Something that a tab follows, and from where on. */
export type Wish =
  | { kind: "events"; after?: number }
  | { kind: "readings" }
  | LogWish
  | { kind: "server_log"; level: "debug" | "info" | "warning" | "error"; text: string; after: number };

export interface LogWish {
  kind: "log";
  job: string;
  attempt: number;
  rank: number;
  stream: "stdout" | "stderr";
  /** A negative one counts from the end. */
  offset: number;
}

/** How an attempt ended. */
export interface Outcome {
  state: string;
  attempt: number;
  end_reason: string | null;
  exit_code: number | null;
  signal: number | null;
}

export interface Hello {
  event: "hello";
  after: number;
  server?: string;
  version?: string;
  /** More may have happened than is told: old events are gone, or another server process answers. */
  reset?: boolean;
}

export type LogRecord =
  | { event: "chunk"; offset: number; bytes: Uint8Array<ArrayBuffer> }
  | ({ event: "end" } & Outcome);

export type News =
  | Hello
  | { event: "happened"; events: EventRow[] }
  | { event: "readings"; readings: Readings }
  | LogRecord
  | { event: "entries"; entries: ServerLogEntry[] }
  /** It may not be followed. */
  | { event: "refused"; status: number; problem: Problem }
  /** It is followed no longer, without a reason of its own: a tab that still wants it asks again. */
  | { event: "closed" };

/** How requests are made: where the API lies, and in whose name. */
export interface Session {
  root: string;
  csrf: string;
  language: string;
}

export type ToHub =
  | { type: "session"; session: Session }
  | { type: "follow"; id: number; wish: Wish }
  | { type: "leave"; id: number }
  /** So many bytes of a log were taken. */
  | { type: "took"; id: number; bytes: number }
  /** Of what only one tab is to do, like showing a notification: those that no tab has claimed yet become this tab's. */
  | { type: "claim"; number: number; keys: string[] }
  | { type: "reconnect" }
  | { type: "here" }
  | { type: "bye" };

export type ToTab =
  | { type: "connection"; state: Connection }
  | { type: "news"; id: number; news: News }
  | { type: "refused"; status: number; problem: Problem }
  | { type: "claimed"; number: number; keys: string[] }
  /** Answered with `here`, by tabs that are still there. */
  | { type: "ping" }
  /** The hub knows nothing of the tab any more: it says anew what it follows. */
  | { type: "forgotten" };

/** The hub's end of the connection to a tab. */
export interface Tab {
  tell(message: ToTab, transfer?: Transferable[]): void;
}
