// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Hub } from "./hub";
import { LeaderHub, type Said } from "./leader";
import type { Tab, ToHub, ToTab } from "./messages";
import { shouldTakeOver } from "./takeover";

/** One browser: a lock that one tab has, a channel that all others hear, and tabs that can freeze, close and hide. */
class Browser {
  tabs: TestTab[] = [];
  holder: { tab: TestTab; lose: () => void } | null = null;
  queue: { tab: TestTab; signal: AbortSignal; take: () => void }[] = [];

  async hold(
    tab: TestTab,
    how: { steal: true } | { signal: AbortSignal },
    lead: () => Promise<void>,
  ): Promise<void> {
    await Promise.resolve();
    await new Promise<void>((_resolve, reject) => {
      const take = () => {
        this.holder = { tab, lose: () => reject(new Error("stolen")) };
        void lead();
      };
      if ("steal" in how) {
        this.holder?.lose();
        take();
      } else {
        how.signal.addEventListener("abort", () => reject(new Error("withdrawn")));
        this.queue.push({ tab, signal: how.signal, take });
        this.grant();
      }
    });
  }

  grant(): void {
    this.queue = this.queue.filter(({ tab, signal }) => !signal.aborted && this.tabs.includes(tab));
    if (!this.holder) this.queue.shift()?.take();
  }

  close(tab: TestTab): void {
    this.tabs = this.tabs.filter((each) => each !== tab);
    tab.isFrozen = true;
    if (this.holder?.tab !== tab) return;
    this.holder = null;
    this.grant();
  }
}

/** Echoes what it is told, with its own number. */
class EchoHub {
  static made = 0;
  isClosed = false;
  readonly number: number;
  constructor() {
    EchoHub.made += 1;
    this.number = EchoHub.made;
  }
  hear(tab: Tab, message: ToHub): void {
    if (message.type === "claim") tab.tell({ type: "claimed", number: this.number, keys: message.keys });
  }
  close(): void {
    this.isClosed = true;
  }
}

class TestTab {
  isVisible = true;
  isFrozen = false;
  heard: ToTab[] = [];
  hubs: EchoHub[] = [];
  asleep: (() => void)[] = [];
  look: () => void = () => {};
  readonly carrier: LeaderHub;

  constructor(
    readonly browser: Browser,
    id: string,
  ) {
    browser.tabs.push(this);
    const channel = {
      onmessage: null as ((event: MessageEvent) => void) | null,
      postMessage: (said: Said) => {
        for (const other of browser.tabs) if (other !== this) other.receive(said);
      },
    };
    this.receive = (said) => {
      const deliver = () => channel.onmessage?.({ data: structuredClone(said) } as MessageEvent);
      if (this.isFrozen) this.asleep.push(deliver);
      else queueMicrotask(deliver);
    };
    this.carrier = new LeaderHub({
      id,
      channel: channel as Pick<BroadcastChannel, "postMessage" | "onmessage">,
      hold: (how, lead) => browser.hold(this, how, lead),
      isVisible: () => this.isVisible && !this.isFrozen,
      onVisibility: (listener) => {
        this.look = listener;
      },
      makeHub: () => {
        const hub = new EchoHub();
        this.hubs.push(hub);
        return hub as unknown as Hub;
      },
    });
    this.carrier.listen((message) => this.heard.push(message));
  }

  receive: (said: Said) => void;

  hide(isHidden = true): void {
    this.isVisible = !isHidden;
    this.look();
  }
  thaw(): void {
    this.isFrozen = false;
    for (const deliver of this.asleep.splice(0)) deliver();
  }
  get leads(): boolean {
    return this.hubs.some(({ isClosed }) => !isClosed);
  }
  /** The number of the hub that answers. */
  async answering(): Promise<number | null> {
    this.heard = [];
    this.carrier.post({ type: "claim", number: 0, keys: [] });
    await soon();
    const answers = this.heard.flatMap((message) => (message.type === "claimed" ? [message.number] : []));
    return answers.length === 1 ? (answers[0] ?? null) : null;
  }
}

const soon = () => vi.advanceTimersByTimeAsync(1);

let browser: Browser;

beforeEach(() => {
  vi.useFakeTimers();
  EchoHub.made = 0;
  browser = new Browser();
});
afterEach(() => {
  browser.tabs = [];
  vi.useRealTimers();
});

async function open(count: number): Promise<TestTab[]> {
  const tabs: TestTab[] = [];
  for (let number = 0; number < count; number += 1) {
    tabs.push(new TestTab(browser, `tab ${number}`));
    await soon();
  }
  return tabs;
}

test("a tab in view takes over from one that does not answer, or whose slow clock mends nothing", () => {
  const well = { isVisible: true, unanswered: 1, leaderIsVisible: true, connection: "open" } as const;
  expect(shouldTakeOver(well)).toBe(false);
  expect(shouldTakeOver({ ...well, unanswered: 3 })).toBe(true);
  expect(shouldTakeOver({ ...well, unanswered: 3, isVisible: false })).toBe(false);
  expect(shouldTakeOver({ ...well, connection: "broken" })).toBe(false);
  expect(shouldTakeOver({ ...well, connection: "broken", leaderIsVisible: false })).toBe(true);
  expect(shouldTakeOver({ ...well, leaderIsVisible: false })).toBe(false);
});

test("one tab leads, and all others reach its hub", async () => {
  const tabs = await open(5);
  expect(tabs.map(({ leads }) => leads)).toEqual([true, false, false, false, false]);
  for (const tab of tabs) {
    expect(tab.heard).toContainEqual({ type: "forgotten" });
    expect(await tab.answering()).toBe(1);
  }
});

test("when the leader is closed the next one leads, and all say anew what they follow", async () => {
  const [first, second, third] = (await open(3)) as [TestTab, TestTab, TestTab];
  third.heard = [];
  browser.close(first);
  await soon();
  expect(second.leads).toBe(true);
  expect(third.heard).toEqual([{ type: "forgotten" }]);
  expect(await third.answering()).toBe(2);
});

test("a frozen leader is robbed by a tab in view, and follows when it wakes", async () => {
  const [first, second, third] = (await open(3)) as [TestTab, TestTab, TestTab];
  first.hide();
  third.hide();
  first.isFrozen = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([second.leads, third.leads]).toEqual([true, false]);
  expect(await third.answering()).toBe(2);
  first.thaw();
  await soon();
  expect(first.leads).toBe(false);
  expect(await first.answering()).toBe(2);
});

test("a leader that answers keeps the lead, and hidden tabs never ask for it", async () => {
  const [first, second] = (await open(2)) as [TestTab, TestTab];
  await vi.advanceTimersByTimeAsync(60_000);
  expect([first.leads, second.leads]).toEqual([true, false]);
  second.hide();
  first.hide();
  first.isFrozen = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(second.leads).toBe(false);
  second.hide(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(second.leads).toBe(true);
});
