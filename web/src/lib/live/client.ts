/** A tab's end of the connection to the hub: what this tab follows, and while it is hidden, what it does without. */
import { ApiError } from "../api/client";
import type { Connection, LogRecord, LogWish, News, Session, ToHub, ToTab, Wish } from "./messages";

/** The way to the hub, wherever that runs. */
export interface Carrier {
  post(message: ToHub): void;
  /** Other tabs use the same connection: that of a hidden one costs nothing. */
  readonly isShared: boolean;
  /** A part that listens is told `forgotten` whenever another hub takes over. */
  listen(hear: (message: ToTab) => void): void;
}

interface Followed {
  wish: Wish;
  hear(news: News): void;
  /** Its number while the hub knows of it. Another one each time, so that late news of before are not taken for new. */
  id: number | null;
}

export class LiveClient {
  connection: Connection = "connecting";
  onRefused: (error: ApiError) => void = () => {};
  private readonly followed = new Set<Followed>();
  private readonly watchers = new Set<(connection: Connection) => void>();
  private session: Session | null = null;
  private lastId = 0;
  private readonly claims = new Map<number, { keys: string[]; hear: (granted: string[]) => void }>();
  private lastClaim = 0;

  constructor(
    private readonly carrier: Carrier,
    private isVisible: boolean,
  ) {
    carrier.listen((message) => this.hear(message));
  }

  setSession(session: Session): void {
    this.session = session;
    this.carrier.post({ type: "session", session });
  }

  reconnect(): void {
    this.carrier.post({ type: "reconnect" });
  }

  /** Those of the keys that no other tab has claimed: what each stands for is this tab's to do. */
  claim(keys: string[]): Promise<string[]> {
    this.lastClaim += 1;
    const number = this.lastClaim;
    return new Promise((hear) => {
      this.claims.set(number, { keys, hear });
      this.carrier.post({ type: "claim", number, keys });
    });
  }

  watch(watcher: (connection: Connection) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Hear the news of something, until the answer is called. */
  follow(wish: Wish, hear: (news: News) => void): () => void {
    const followed = this.begin(wish, hear);
    return () => this.end(followed);
  }

  /** A log from an offset on: nothing is lost or told twice, however often the tab is hidden meanwhile. */
  async followLog(wish: LogWish, signal: AbortSignal): Promise<ReadableStream<LogRecord>> {
    await this.untilMended(signal);
    const waiting: LogRecord[] = [];
    let problem: Error | null = null;
    let wake = () => {};
    const followed = this.begin(wish, (news) => {
      if (news.event === "chunk" || news.event === "end") waiting.push(news);
      else if (news.event === "refused") problem = new ApiError(news.status, news.problem);
      else if (news.event === "closed") problem = new Error("the connection broke");
      wake();
    });
    const take = (bytes: number) => {
      if (followed.id !== null) this.carrier.post({ type: "took", id: followed.id, bytes });
    };
    signal.addEventListener("abort", () => {
      this.end(followed);
      wake();
    });
    return new ReadableStream<LogRecord>(
      {
        async pull(sender) {
          while (waiting.length === 0 && problem === null && !signal.aborted) {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
          const record = waiting.shift();
          if (record) {
            sender.enqueue(record);
            if (record.event === "chunk") take(record.bytes.length);
          } else if (problem !== null) sender.error(problem);
          else sender.close();
        },
        cancel: () => this.end(followed),
      },
      { highWaterMark: 0 },
    );
  }

  show(isVisible: boolean): void {
    this.isVisible = isVisible;
    for (const each of this.followed) {
      if (this.isAlwaysWanted(each.wish)) continue;
      if (isVisible && each.id === null) this.ask(each);
      else if (!isVisible) this.rest(each);
    }
  }

  /** The page goes, perhaps to be taken out of the browser's drawer again. */
  leave(): void {
    for (const each of this.followed) each.id = null;
    this.carrier.post({ type: "bye" });
  }

  /** Says everything anew, to a hub that knows nothing of this tab. */
  announce(): void {
    if (this.session) this.carrier.post({ type: "session", session: this.session });
    for (const each of this.followed) each.id = null;
    for (const each of this.followed) if (this.isVisible || this.isAlwaysWanted(each.wish)) this.ask(each);
    for (const [number, { keys }] of this.claims) this.carrier.post({ type: "claim", number, keys });
  }

  private hear(message: ToTab): void {
    switch (message.type) {
      case "ping":
        this.carrier.post({ type: "here" });
        break;
      case "forgotten":
        this.announce();
        break;
      case "connection":
        this.connection = message.state;
        for (const watcher of [...this.watchers]) watcher(message.state);
        break;
      case "refused":
        this.onRefused(new ApiError(message.status, message.problem));
        break;
      case "claimed":
        this.claims.get(message.number)?.hear(message.keys);
        this.claims.delete(message.number);
        break;
      case "news": {
        const followed = [...this.followed].find(({ id }) => id === message.id);
        if (followed) this.pass(followed, message.news);
      }
    }
  }

  /** Notes how far it was told, so that it can be taken up again from there. */
  private pass(followed: Followed, news: News): void {
    const { wish } = followed;
    if (wish.kind === "events") {
      if (news.event === "hello") wish.after = news.after;
      if (news.event === "happened") wish.after = news.events.at(-1)?.id ?? wish.after;
    } else if (wish.kind === "log" && news.event === "chunk") wish.offset = news.offset + news.bytes.length;
    else if (wish.kind === "server_log" && news.event === "entries")
      wish.after = news.entries.at(-1)?.id ?? wish.after;
    if (news.event === "end" || news.event === "refused" || news.event === "closed") {
      followed.id = null;
      this.followed.delete(followed);
    }
    followed.hear(news);
  }

  /** While the connection is broken there is nothing to wait for but its mending. */
  private untilMended(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const unwatch = this.watch(look);
      const abort = () => {
        unwatch();
        reject(signal.reason);
      };
      function look(now: Connection) {
        if (now === "broken") return;
        unwatch();
        signal.removeEventListener("abort", abort);
        resolve();
      }
      signal.addEventListener("abort", abort);
      look(this.connection);
    });
  }

  private begin(wish: Wish, hear: (news: News) => void): Followed {
    const followed: Followed = { wish: { ...wish }, hear, id: null };
    this.followed.add(followed);
    if (this.isVisible || this.isAlwaysWanted(wish)) this.ask(followed);
    return followed;
  }

  private end(followed: Followed): void {
    this.followed.delete(followed);
    this.rest(followed);
  }

  /** Titles and notifications want events always; what is only looked at rests while the tab is hidden. */
  private isAlwaysWanted({ kind }: Wish): boolean {
    return kind === "events" && this.carrier.isShared;
  }

  private ask(each: Followed): void {
    this.lastId += 1;
    each.id = this.lastId;
    this.carrier.post({ type: "follow", id: each.id, wish: each.wish });
  }

  private rest(each: Followed): void {
    if (each.id !== null) this.carrier.post({ type: "leave", id: each.id });
    each.id = null;
  }
}
