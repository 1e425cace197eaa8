/** The one connection of all tabs: what any of them follows goes over it, and it is mended when it breaks. */
import type { LiveChannel } from "../api/schema";
import { Claims } from "./claims";
import type { Connection, News, Session, Tab, ToHub } from "./messages";
import { RecordReader, type StreamRecord } from "./records";
import { Refusal, type ServerConnection } from "./serverConnection";
import { Source } from "./sources";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
/** The server is heard at least every 15 s; a connection silent for much longer is dead. */
const SILENCE_MS = 45_000;
const PING_MS = 30_000;
/** A tab that has left so many pings without an answer is gone, or asleep: then it is told once it wakes. */
const MOST_PINGS = 3;
/** The server takes no more in one stream. */
const MOST_CHANNELS = 64;

interface Opened {
  stop: AbortController;
  /** The server's name for it, once it is known. */
  stream: string | null;
}

export class Hub {
  private readonly tabs = new Map<Tab, { pings: number; followed: Map<number, Source> }>();
  private readonly sources = new Set<Source>();
  private readonly claims = new Claims();
  private session: Session | null = null;
  private state: Connection = "connecting";
  private opened: Opened | null = null;
  private lastChannel = 0;
  private closing: number[] = [];
  private changing = false;
  private pauseMs = FIRST_PAUSE_MS;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private pinging: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly server: ServerConnection) {}

  hear(tab: Tab, message: ToHub): void {
    if (message.type === "bye") {
      this.forget(tab);
      return;
    }
    const known = this.tabs.get(tab) ?? this.welcome(tab);
    known.pings = 0;
    switch (message.type) {
      case "session":
        this.begin(message.session);
        break;
      case "follow": {
        const { id, wish } = message;
        const source = this.sourceFor(wish);
        known.followed.set(id, source);
        source.add({ tab, id, seen: wish.kind === "events" ? wish.after : undefined });
        this.sync();
        break;
      }
      case "leave":
        this.leave(tab, message.id);
        break;
      case "took":
        known.followed.get(message.id)?.took(message.bytes);
        this.sync();
        break;
      case "claim":
        tab.tell({ type: "claimed", number: message.number, keys: this.claims.take(message.keys) });
        break;
      case "reconnect":
        this.reconnect();
    }
  }

  /** Everything ends here; the tabs look for another hub. */
  close(): void {
    clearTimeout(this.pinging);
    this.tabs.clear();
    this.sources.clear();
    this.sync();
  }

  private welcome(tab: Tab): { pings: number; followed: Map<number, Source> } {
    const known = { pings: 0, followed: new Map<number, Source>() };
    this.tabs.set(tab, known);
    this.pinging ??= setTimeout(() => this.ping(), PING_MS);
    tab.tell({ type: "connection", state: this.state });
    return known;
  }

  private ping(): void {
    this.pinging = undefined;
    for (const [tab, known] of [...this.tabs]) {
      if (known.pings >= MOST_PINGS) {
        this.forget(tab);
        tab.tell({ type: "forgotten" });
      } else {
        known.pings += 1;
        tab.tell({ type: "ping" });
      }
    }
    if (this.tabs.size > 0) this.pinging = setTimeout(() => this.ping(), PING_MS);
  }

  private forget(tab: Tab): void {
    const known = this.tabs.get(tab);
    this.tabs.delete(tab);
    for (const [id, source] of known?.followed ?? []) this.remove(source, tab, id);
    this.sync();
  }

  private leave(tab: Tab, id: number): void {
    const followed = this.tabs.get(tab)?.followed;
    const source = followed?.get(id);
    followed?.delete(id);
    if (source) this.remove(source, tab, id);
    this.sync();
  }

  private remove(source: Source, tab: Tab, id: number): void {
    for (const follower of source.followers)
      if (follower.tab === tab && follower.id === id) source.followers.delete(follower);
    if (source.followers.size === 0) this.drop(source);
  }

  /** No tab follows it any more, or it has ended. */
  private drop(source: Source): void {
    this.sources.delete(source);
    this.shut(source);
    for (const { tab, id } of source.followers) this.tabs.get(tab)?.followed.delete(id);
  }

  private shut(source: Source): void {
    if (source.channel !== null && this.opened) this.closing.push(source.channel);
    source.channel = null;
  }

  private sourceFor(wish: Source["wish"]): Source {
    const shared = Source.isShared(wish)
      ? [...this.sources].find((each) => each.wish.kind === wish.kind)
      : null;
    const source = shared ?? new Source({ ...wish });
    this.sources.add(source);
    return source;
  }

  /** A connection is of one session: another one gets a connection of its own. */
  private begin(session: Session): void {
    const isAnother = this.session !== null && this.session.csrf !== session.csrf;
    const isOver = this.state === "broken" && this.retry === undefined && this.opened === null;
    this.session = session;
    // What the tabs have may be another user's: to them it is a break.
    if (isAnother) this.setState("broken");
    if (isAnother || isOver) this.reconnect();
    else this.sync();
  }

  /** Has the connection carry what is wanted now: opens it, changes it, or lets it go. */
  private sync(): void {
    if (this.sources.size === 0) {
      this.hangUp();
      clearTimeout(this.retry);
      this.retry = undefined;
      this.setState("connecting");
    } else if (this.opened === null) {
      if (this.session && this.retry === undefined && this.state !== "broken")
        void this.connect(this.session);
    } else {
      for (const source of this.sources) if (source.isFull) this.shut(source);
      if (this.opened.stream !== null && !this.changing) void this.change(this.opened, this.opened.stream);
    }
  }

  private reconnect(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    this.pauseMs = FIRST_PAUSE_MS;
    this.hangUp();
    if (this.session && this.sources.size > 0) void this.connect(this.session);
  }

  private async connect(session: Session): Promise<void> {
    const opened: Opened = { stop: new AbortController(), stream: null };
    this.opened = opened;
    this.lastChannel = 0;
    this.closing = [];
    this.listen();
    try {
      const stream = await this.server.open(session, this.openChannels(), opened.stop.signal);
      const records = new RecordReader({
        onRecord: (record) => this.hearRecord(opened, record),
        onBytes: (channel, offset, bytes) => this.hearNews(channel, { event: "chunk", offset, bytes }),
      });
      const reader = stream.getReader();
      while (this.opened === opened) {
        const { value, done } = await reader.read();
        if (this.opened !== opened) return;
        if (done) break;
        this.listen();
        records.push(value);
      }
      this.breakOff(opened);
    } catch (problem) {
      if (problem instanceof Refusal) await this.hearRefusal(opened, session, problem);
      else this.breakOff(opened);
    }
  }

  /** Numbers for all that has none yet. */
  private openChannels(): LiveChannel[] {
    const channels: LiveChannel[] = [];
    let room = MOST_CHANNELS - [...this.sources].filter(({ channel }) => channel !== null).length;
    for (const source of this.sources) {
      if (source.channel !== null || source.isFull) continue;
      // The rest waits until another one is closed.
      if (room === 0) break;
      room -= 1;
      this.lastChannel += 1;
      source.channel = this.lastChannel;
      channels.push(source.asChannel(this.lastChannel));
    }
    return channels;
  }

  private async change(opened: Opened, stream: string): Promise<void> {
    this.changing = true;
    try {
      while (this.opened === opened) {
        const close = this.closing;
        this.closing = [];
        const open = this.openChannels();
        if (open.length === 0 && close.length === 0) return;
        if (this.session) await this.server.change(this.session, stream, { open, close });
      }
    } catch {
      // The stream is gone, or the server is. Too many at once is cured by the next connection as well.
      this.breakOff(opened);
    } finally {
      this.changing = false;
      if (this.opened !== opened) this.sync();
    }
  }

  private hearRecord(opened: Opened, record: StreamRecord): void {
    if (record.event === "stream") {
      opened.stream = String(record.stream);
      this.pauseMs = FIRST_PAUSE_MS;
      this.setState("open");
      this.sync();
    } else if (record.channel !== undefined) {
      this.hearNews(record.channel, record as unknown as News);
    }
  }

  private hearNews(channel: number, news: News): void {
    const source = [...this.sources].find((each) => each.channel === channel);
    // What was closed a moment ago may still be on its way.
    if (!source) return;
    source.hear(news);
    if (news.event === "end" || news.event === "refused" || news.event === "closed") {
      source.channel = null;
      this.drop(source);
    } else if (source.isFull) this.sync();
  }

  private async hearRefusal(opened: Opened, session: Session, refusal: Refusal): Promise<void> {
    if (refusal.problem.code === "csrf") {
      // Another tab has signed in anew: the browser's session is another than the tabs have told.
      const token = await this.server.token(session).catch(() => null);
      if (this.opened !== opened) return;
      if (token && token !== session.csrf) {
        this.session = { ...session, csrf: token };
        this.reconnect();
        return;
      }
    }
    this.breakOff(opened, refusal.status !== 401);
    if (refusal.status !== 401) return;
    // The next sign-in begins the next session.
    for (const tab of this.tabs.keys())
      tab.tell({ type: "refused", status: refusal.status, problem: refusal.problem });
  }

  private listen(): void {
    clearTimeout(this.watchdog);
    const opened = this.opened;
    this.watchdog = setTimeout(() => opened && this.breakOff(opened), SILENCE_MS);
  }

  private breakOff(opened: Opened, again = true): void {
    if (this.opened !== opened) return;
    this.hangUp();
    this.setState("broken");
    if (!again) return;
    this.retry = setTimeout(() => this.reconnectAfterPause(), this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  private reconnectAfterPause(): void {
    this.retry = undefined;
    if (this.session && this.sources.size > 0) void this.connect(this.session);
  }

  /** Events and readings are taken up again by the next connection; the tab that reads a log asks for the rest. */
  private hangUp(): void {
    clearTimeout(this.watchdog);
    this.opened?.stop.abort();
    this.opened = null;
    for (const source of [...this.sources]) {
      const had = source.channel !== null;
      source.channel = null;
      if (!had || Source.isShared(source.wish)) continue;
      source.hear({ event: "closed" });
      this.drop(source);
    }
  }

  private setState(state: Connection): void {
    if (this.state === state) return;
    this.state = state;
    for (const tab of this.tabs.keys()) tab.tell({ type: "connection", state });
  }
}
