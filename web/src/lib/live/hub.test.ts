// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveChange, LiveChannel } from "../api/schema";
import { Hub } from "./hub";
import type { News, Session, Tab, ToHub, ToTab, Wish } from "./messages";
import { Refusal, type ServerConnection } from "./serverConnection";
import { MOST_UNREAD } from "./sources";

const encoder = new TextEncoder();
const SESSION: Session = { root: "/api/v1", csrf: "a", language: "en" };

/** A server that says what a test tells it to. */
class ScriptedConnection implements ServerConnection {
  opened: { csrf: string; channels: LiveChannel[] }[] = [];
  changes: LiveChange[] = [];
  refusal: Refusal | null = null;
  current = "a";
  hungUp = 0;
  private sender: ReadableStreamDefaultController<Uint8Array> | null = null;

  async open({ csrf }: Session, channels: LiveChannel[], signal: AbortSignal) {
    this.opened.push({ csrf, channels });
    if (this.refusal) throw this.refusal;
    if (csrf !== this.current) throw new Refusal(403, { code: "csrf", message: "" });
    signal.addEventListener("abort", () => {
      this.hungUp += 1;
    });
    return new ReadableStream<Uint8Array>({
      start: (sender) => {
        this.sender = sender;
        this.say({ event: "stream", stream: `s${this.opened.length}` });
      },
    });
  }
  async change(_session: Session, _stream: string, change: LiveChange) {
    this.changes.push(change);
  }
  async token() {
    return this.current;
  }
  say(record: Record<string, unknown>): void {
    this.sender?.enqueue(encoder.encode(`${JSON.stringify(record)}\n`));
  }
  chunk(channel: number, offset: number, text: string): void {
    const bytes = encoder.encode(text);
    this.say({ channel, event: "chunk", offset, length: bytes.length });
    // Cut up as it may come.
    this.sender?.enqueue(bytes.slice(0, 3));
    this.sender?.enqueue(bytes.slice(3));
  }
  drop(): void {
    this.sender?.close();
  }
  channelOf(kind: string): number {
    const open = [...(this.opened.at(-1)?.channels ?? []), ...this.changes.flatMap(({ open = [] }) => open)];
    return open.findLast((channel) => channel.kind === kind)?.id ?? 0;
  }
}

class RecordingTab implements Tab {
  heard: ToTab[] = [];
  constructor(readonly hub: Hub) {}
  tell(message: ToTab): void {
    this.heard.push(message);
  }
  say(message: ToHub): void {
    this.hub.hear(this, message);
  }
  follow(id: number, wish: Wish): void {
    this.say({ type: "follow", id, wish });
  }
  news(id: number): News[] {
    return this.heard.flatMap((message) =>
      message.type === "news" && message.id === id ? [message.news] : [],
    );
  }
  text(id: number): string {
    return this.news(id)
      .map((news) => (news.event === "chunk" ? new TextDecoder().decode(news.bytes) : ""))
      .join("");
  }
  states(): string[] {
    return this.heard.flatMap((message) => (message.type === "connection" ? [message.state] : []));
  }
}

const LOG = { kind: "log", job: "7", attempt: 1, rank: 0, stream: "stdout", offset: 0 } as const;

let connection: ScriptedConnection;
let hub: Hub;

beforeEach(() => {
  vi.useFakeTimers();
  connection = new ScriptedConnection();
  hub = new Hub(connection);
});
afterEach(() => {
  hub.close();
  vi.useRealTimers();
});

const soon = () => vi.advanceTimersByTimeAsync(1);

function aTab(): RecordingTab {
  const tab = new RecordingTab(hub);
  tab.say({ type: "session", session: SESSION });
  tab.follow(1, { kind: "events" });
  return tab;
}

function hello(after: number, server = "x", reset = false) {
  return { channel: connection.channelOf("events"), event: "hello", after, server, reset };
}

function happened(...ids: number[]) {
  const events = ids.map((id) => ({ id, kind: "job.state" }));
  return { channel: connection.channelOf("events"), event: "happened", events };
}

test("twenty tabs share one connection and one channel of events", async () => {
  const tabs = Array.from({ length: 20 }, aTab);
  await soon();
  connection.say(hello(5));
  connection.say(happened(6));
  await soon();
  expect(connection.opened).toHaveLength(1);
  expect(connection.opened[0]?.channels).toHaveLength(1);
  expect(connection.changes).toEqual([]);
  for (const tab of tabs) expect(tab.news(1).map(({ event }) => event)).toEqual(["hello", "happened"]);
});

test("a tab that comes later hears what it missed, or that it missed too much", async () => {
  aTab();
  await soon();
  connection.say(hello(5));
  connection.say(happened(6, 7));
  await soon();
  const fresh = aTab();
  expect(fresh.news(1)).toMatchObject([{ event: "hello", after: 7, reset: false }]);
  const woken = new RecordingTab(hub);
  woken.follow(1, { kind: "events", after: 6 });
  expect(woken.news(1)).toMatchObject([{ reset: false }, { event: "happened", events: [{ id: 7 }] }]);
  const late = new RecordingTab(hub);
  late.follow(1, { kind: "events", after: 3 });
  expect(late.news(1)).toMatchObject([{ event: "hello", after: 7, reset: true }]);
});

test("a break is mended behind the last event, and the tab that reads a log asks for the rest", async () => {
  const tab = aTab();
  tab.follow(2, LOG);
  await soon();
  connection.say(hello(5));
  connection.say(happened(8));
  connection.chunk(connection.channelOf("log"), 0, "one\ntwo\n");
  await soon();
  expect(tab.text(2)).toBe("one\ntwo\n");
  connection.drop();
  await soon();
  expect(tab.news(2).at(-1)).toEqual({ event: "closed" });
  await vi.advanceTimersByTimeAsync(600);
  expect(connection.opened[1]?.channels).toMatchObject([{ kind: "events", after: 8 }]);
  expect(tab.states()).toEqual(["connecting", "open", "broken", "open"]);
  connection.say(hello(8, "another server"));
  await soon();
  expect(tab.news(1).at(-1)).toMatchObject({ event: "hello", reset: true });
});

test("what a tab leaves is closed, and with the last tab the connection", async () => {
  const [one, other] = [aTab(), aTab()];
  one.follow(2, LOG);
  await soon();
  const channel = connection.channelOf("log");
  one.say({ type: "leave", id: 2 });
  await soon();
  expect(connection.changes.at(-1)).toEqual({ open: [], close: [channel] });
  connection.chunk(channel, 0, "late\n");
  await soon();
  expect(one.text(2)).toBe("");
  one.say({ type: "bye" });
  expect(connection.hungUp).toBe(0);
  other.say({ type: "bye" });
  expect(connection.hungUp).toBe(1);
});

test("a log that its tab does not take is not heaped up, and goes on where it was", async () => {
  const tab = aTab();
  tab.follow(2, LOG);
  await soon();
  const first = connection.channelOf("log");
  const much = "x".repeat(MOST_UNREAD + 1);
  connection.chunk(first, 0, much);
  connection.chunk(first, much.length, "dropped on the way");
  await soon();
  expect(tab.text(2)).toHaveLength(much.length);
  expect(connection.changes.at(-1)).toEqual({ open: [], close: [first] });
  tab.say({ type: "took", id: 2, bytes: much.length });
  await soon();
  expect(connection.changes.at(-1)?.open).toMatchObject([{ kind: "log", offset: much.length }]);
});

test("a refused channel ends alone, in words", async () => {
  const tab = aTab();
  tab.follow(2, LOG);
  await soon();
  const problem = { code: "no_such_job", message: "There is no job 7." };
  connection.say({ channel: connection.channelOf("log"), event: "refused", status: 404, problem });
  connection.say(happened(9));
  await soon();
  expect(tab.news(2)).toMatchObject([{ event: "refused", status: 404, problem }]);
  expect(tab.news(1)).toHaveLength(1);
});

test("another session gets a connection of its own", async () => {
  const tab = aTab();
  await soon();
  connection.current = "b";
  tab.say({ type: "session", session: { ...SESSION, csrf: "b" } });
  await soon();
  expect(connection.opened.map(({ csrf }) => csrf)).toEqual(["a", "b"]);
  expect(tab.states().at(-1)).toBe("open");
});

test("a token of before is replaced by that of the browser's session", async () => {
  connection.current = "b";
  aTab();
  await soon();
  expect(connection.opened.map(({ csrf }) => csrf)).toEqual(["a", "b"]);
});

test("without a session nothing is tried until the user signs in", async () => {
  connection.refusal = new Refusal(401, { code: "not_signed_in", message: "Sign in." });
  const tab = aTab();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connection.opened).toHaveLength(1);
  expect(tab.heard).toContainEqual(expect.objectContaining({ type: "refused", status: 401 }));
  connection.refusal = null;
  tab.say({ type: "session", session: SESSION });
  await soon();
  expect(tab.states().at(-1)).toBe("open");
});

test("a tab that no longer answers is forgotten, and told so should it wake", async () => {
  const [alive, dead] = [aTab(), aTab()];
  dead.follow(2, LOG);
  for (let minute = 0; minute < 5; minute += 1) {
    await vi.advanceTimersByTimeAsync(30_000);
    connection.say({ event: "heartbeat" });
    alive.say({ type: "here" });
  }
  expect(dead.heard.at(-1)).toEqual({ type: "forgotten" });
  expect(alive.heard.at(-1)).toEqual({ type: "ping" });
  expect(connection.changes.at(-1)?.close).toHaveLength(1);
});

test("a silent connection is dead", async () => {
  const tab = aTab();
  await vi.advanceTimersByTimeAsync(46_000);
  expect(tab.states()).toContain("broken");
});

test("what one tab has claimed no other gets", async () => {
  const [one, other] = [aTab(), aTab()];
  one.say({ type: "claim", number: 1, keys: ["a", "b"] });
  other.say({ type: "claim", number: 1, keys: ["b", "c"] });
  expect(one.heard.at(-1)).toEqual({ type: "claimed", number: 1, keys: ["a", "b"] });
  expect(other.heard.at(-1)).toEqual({ type: "claimed", number: 1, keys: ["c"] });
});
