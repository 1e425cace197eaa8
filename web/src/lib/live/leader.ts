/** Without a shared worker: the hub runs in one of the tabs, which has a lock, and the others talk to it over a channel. */
import type { Carrier } from "./client";
import type { Hub } from "./hub";
import type { Connection, Tab, ToHub, ToTab } from "./messages";
import { shouldTakeOver } from "./takeover";

const ASK_MS = 1500;

/** What tabs say to each other. `term` grows with each leader, so that a late word of one before is known as such. */
export type Said =
  | { type: "who"; from: string }
  | { type: "leads"; from: string; term: number; isVisible: boolean }
  | { type: "toHub"; from: string; to: string; message: ToHub }
  | { type: "toTab"; from: string; to: string; message: ToTab };

/** What a browser has to have for this. */
export interface Surroundings {
  /** This tab's own name. */
  id: string;
  channel: Pick<BroadcastChannel, "postMessage" | "onmessage">;
  /** Has the lock from when `lead` is called until it is taken away, which ends the wait for the answer. */
  hold(how: { steal: true } | { signal: AbortSignal }, lead: () => Promise<void>): Promise<void>;
  isVisible(): boolean;
  onVisibility(listener: () => void): void;
  makeHub(): Hub;
}

interface Leader {
  id: string;
  term: number;
  isVisible: boolean;
}

/** A tab that leads, or follows one that does. Browsers hand the lock on when the one that has it is closed or crashes. */
export class LeaderHub implements Carrier {
  readonly isShared = true;
  private hear: (message: ToTab) => void = () => {};
  private hub: Hub | null = null;
  private leader: Leader | null = null;
  private readonly tabs = new Map<string, Tab>();
  private readonly ownTab: Tab = { tell: (message) => queueMicrotask(() => this.hear(message)) };
  private connection: Connection = "connecting";
  private unanswered = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private candidacy = new AbortController();

  constructor(private readonly here: Surroundings) {
    here.channel.onmessage = ({ data }: MessageEvent<Said>) => this.hearSaid(data);
    here.onVisibility(() => this.look());
    void this.stand(false);
    this.look();
  }

  /** What is said while no tab leads is said anew to the one that will. */
  post(message: ToHub): void {
    const { hub, leader } = this;
    if (hub) queueMicrotask(() => hub.hear(this.ownTab, message));
    else if (leader) this.say({ type: "toHub", from: this.here.id, to: leader.id, message });
  }

  listen(hear: (message: ToTab) => void): void {
    this.hear = hear;
  }

  /** Leads as soon as it has the lock, for as long as it has it. */
  private async stand(steal: boolean): Promise<void> {
    this.candidacy.abort();
    const candidacy = new AbortController();
    this.candidacy = candidacy;
    let hasLed = false;
    const lead = () => {
      hasLed = true;
      return this.lead();
    };
    await this.here.hold(steal ? { steal } : { signal: candidacy.signal }, lead).catch(() => undefined);
    // The lock was taken away from it: it has been asleep. (Else it has tried anew, or the page goes.)
    if (!hasLed) return;
    this.resign();
    void this.stand(false);
  }

  private lead(): Promise<void> {
    clearTimeout(this.timer);
    this.hub = this.here.makeHub();
    const term = Math.max(Date.now(), (this.leader?.term ?? 0) + 1);
    this.leader = { id: this.here.id, term, isVisible: this.here.isVisible() };
    this.sayThatItLeads();
    this.hear({ type: "forgotten" });
    return new Promise(() => {});
  }

  private resign(): void {
    this.hub?.close();
    this.hub = null;
    this.leader = null;
    this.tabs.clear();
    this.look();
  }

  /** As long as it is in view, a tab makes sure that the one that leads is awake. */
  private look(): void {
    clearTimeout(this.timer);
    this.unanswered = 0;
    if (this.hub) this.sayThatItLeads();
    else this.ask();
  }

  private ask(): void {
    if (this.considerTakingOver()) return;
    this.unanswered += 1;
    this.say({ type: "who", from: this.here.id });
    if (this.here.isVisible()) this.timer = setTimeout(() => this.ask(), ASK_MS);
  }

  private considerTakingOver(): boolean {
    const { unanswered, connection } = this;
    const isVisible = this.here.isVisible();
    const leaderIsVisible = this.leader?.isVisible ?? true;
    if (this.hub || !shouldTakeOver({ isVisible, unanswered, leaderIsVisible, connection })) return false;
    this.connection = "connecting";
    this.unanswered = 0;
    clearTimeout(this.timer);
    void this.stand(true);
    return true;
  }

  private hearSaid(said: Said): void {
    switch (said.type) {
      case "who":
        if (this.hub) this.sayThatItLeads();
        break;
      case "leads":
        this.hearLeader(said);
        break;
      case "toHub":
        if (said.to === this.here.id) this.hub?.hear(this.tabOf(said.from), said.message);
        break;
      case "toTab":
        if (said.to === this.here.id && said.from === this.leader?.id) this.hearHub(said.message);
    }
  }

  private hearLeader({ from, term, isVisible }: Said & { type: "leads" }): void {
    // Who has lost the lead learns it by the lock: what else is said may be late.
    if (this.hub || term < (this.leader?.term ?? 0)) return;
    const isAnother = this.leader?.id !== from;
    this.leader = { id: from, term, isVisible };
    this.unanswered = 0;
    if (isAnother) this.hear({ type: "forgotten" });
    this.considerTakingOver();
  }

  private hearHub(message: ToTab): void {
    if (message.type === "connection") this.connection = message.state;
    this.hear(message);
    this.considerTakingOver();
  }

  private tabOf(id: string): Tab {
    const known = this.tabs.get(id);
    if (known) return known;
    const from = this.here.id;
    const tab: Tab = { tell: (message) => this.say({ type: "toTab", from, to: id, message }) };
    this.tabs.set(id, tab);
    return tab;
  }

  private sayThatItLeads(): void {
    if (!this.leader) return;
    const isVisible = this.here.isVisible();
    this.say({ type: "leads", from: this.here.id, term: this.leader.term, isVisible });
  }

  private say(said: Said): void {
    this.here.channel.postMessage(said);
  }
}
