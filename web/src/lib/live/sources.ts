/** What the hub follows for its tabs, and what it remembers of it for tabs that come later. */
import type { EventRow, LiveChannel, Readings } from "../api/schema";
import type { Hello, News, Tab, Wish } from "./messages";

/** So many events are kept for tabs that were away for a moment. */
const MOST_KEPT = 1000;
/** So much of a log is under way to a tab before it has taken any of it. */
export const MOST_UNREAD = 1024 * 1024;

export interface Follower {
  tab: Tab;
  id: number;
  /** The last event that it knows of. */
  seen?: number;
}

export class Source {
  readonly followers = new Set<Follower>();
  /** Its number on the connection now. */
  channel: number | null = null;
  /** Its reader has enough for now. */
  isFull = false;
  private unread = 0;
  private hello: Hello | null = null;
  private server: string | undefined;
  private events: EventRow[] = [];
  /** Everything behind this event is in `events`. */
  private floor = 0;
  private readings: Readings | null = null;

  constructor(readonly wish: Wish) {}

  /** Tabs share it: one channel serves all of them. */
  static isShared(wish: Wish): boolean {
    return wish.kind === "events" || wish.kind === "readings";
  }

  asChannel(id: number): LiveChannel {
    // The server fills in what is left out.
    return { id, ...this.wish } as LiveChannel;
  }

  add(follower: Follower): void {
    this.followers.add(follower);
    if (this.readings) tell(follower, { event: "readings", readings: this.readings });
    if (this.hello) this.greet(follower, this.hello);
  }

  took(bytes: number): void {
    this.unread = Math.max(0, this.unread - bytes);
    // Not at once when there is a little room: each turn is a request.
    if (this.unread < MOST_UNREAD / 2) this.isFull = false;
  }

  /** Hears what the server says of it, and passes that on. */
  hear(news: News): void {
    if (news.event === "hello") {
      this.hearHello(news);
      return;
    }
    if (news.event === "happened") this.keep(news.events);
    if (news.event === "readings") {
      this.readings = merge(this.readings, news.readings);
    }
    if (news.event === "entries" && this.wish.kind === "server_log") {
      this.wish.after = news.entries.at(-1)?.id ?? this.wish.after;
    }
    if (news.event === "chunk" && this.wish.kind === "log") {
      this.wish.offset = news.offset + news.bytes.length;
      this.unread += news.bytes.length;
      this.isFull = this.isFull || this.unread > MOST_UNREAD;
    }
    for (const follower of this.followers) tell(follower, news);
  }

  private hearHello(hello: Hello): void {
    const isAnother = this.server !== undefined && hello.server !== this.server;
    const reset = hello.reset === true || isAnother;
    this.server = hello.server;
    this.hello = { ...hello, reset: false };
    // A restored or emptied database may be behind what was seen: what it says now is what counts.
    if (this.wish.kind === "events") this.wish.after = hello.after;
    this.events = [];
    this.floor = hello.after;
    for (const follower of this.followers) {
      const missed = follower.seen !== undefined && follower.seen !== hello.after;
      tell(follower, { ...hello, reset: reset || missed });
      follower.seen = hello.after;
    }
  }

  private keep(events: EventRow[]): void {
    this.events.push(...events);
    const gone = this.events.splice(0, Math.max(0, this.events.length - MOST_KEPT));
    this.floor = gone.at(-1)?.id ?? this.floor;
    const last = events.at(-1)?.id;
    if (last === undefined) return;
    if (this.wish.kind === "events") this.wish.after = last;
    for (const follower of this.followers) follower.seen = last;
  }

  /** One that comes later hears what it has missed, or that it has missed too much. */
  private greet(follower: Follower, hello: Hello): void {
    const now = this.wish.kind === "events" ? (this.wish.after ?? hello.after) : hello.after;
    const { seen = now } = follower;
    const knows = this.floor <= seen && seen <= now;
    tell(follower, { ...hello, after: knows ? seen : now, reset: !knows });
    const missed = knows ? this.events.filter(({ id }) => id > seen) : [];
    if (missed.length > 0) tell(follower, { event: "happened", events: missed });
    follower.seen = now;
  }
}

function tell({ tab, id }: Follower, news: News): void {
  tab.tell({ type: "news", id, news }, news.event === "chunk" ? [news.bytes.buffer] : undefined);
}

/** The latest of each node. */
function merge(before: Readings | null, now: Readings): Readings {
  const nodes = new Map([...(before?.nodes ?? []), ...now.nodes].map((node) => [node.name, node]));
  return { ...now, nodes: [...nodes.values()] };
}
