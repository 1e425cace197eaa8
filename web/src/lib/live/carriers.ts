/** The ways to the hub: a worker that all tabs share; without one, a tab that leads; without that, each for itself. */
import type { Carrier } from "./client";
import { Hub } from "./hub";
import { LeaderHub, type Surroundings } from "./leader";
import type { Tab, ToHub, ToTab } from "./messages";
import { serverConnection } from "./serverConnection";

/** Each tab has a hub of its own: where there is nothing that tabs could share. */
export class OwnHub implements Carrier {
  readonly isShared = false;
  private readonly hub = new Hub(serverConnection);
  private hear: (message: ToTab) => void = () => {};
  private readonly tab: Tab = { tell: (message) => queueMicrotask(() => this.hear(message)) };

  post(message: ToHub): void {
    queueMicrotask(() => this.hub.hear(this.tab, message));
  }

  listen(hear: (message: ToTab) => void): void {
    this.hear = hear;
  }
}

/** The hub in the worker. Should the worker not run after all, `otherwise` takes its place. */
export class WorkerHub implements Carrier {
  private hear: (message: ToTab) => void = () => {};
  private instead: Carrier | null = null;
  private readonly port: MessagePort;

  constructor(worker: SharedWorker, otherwise: () => Carrier) {
    this.port = worker.port;
    this.port.onmessage = ({ data }: MessageEvent<ToTab>) => this.hear(data);
    worker.onerror = () => {
      if (this.instead) return;
      this.instead = otherwise();
      this.instead.listen(this.hear);
      this.hear({ type: "forgotten" });
    };
  }

  get isShared(): boolean {
    return this.instead?.isShared ?? true;
  }

  post(message: ToHub): void {
    if (this.instead) this.instead.post(message);
    else this.port.postMessage(message);
  }

  listen(hear: (message: ToTab) => void): void {
    this.hear = hear;
  }
}

/** Pages that came over plain http from another machine have no locks. */
function surroundings(): Surroundings | null {
  const { locks } = navigator;
  if (!locks || typeof BroadcastChannel === "undefined") return null;
  // This file's name changes with what it does: two versions of the app have nothing to say to each other.
  const name = `danlu live ${new URL(import.meta.url).pathname}`;
  return {
    id: crypto.randomUUID(),
    channel: new BroadcastChannel(name),
    hold: async (how, lead) => {
      await locks.request(name, how, lead);
    },
    isVisible: () => document.visibilityState === "visible",
    onVisibility: (listener) => document.addEventListener("visibilitychange", listener),
    makeHub: () => new Hub(serverConnection),
  };
}

function withoutWorker(): Carrier {
  const here = surroundings();
  return here ? new LeaderHub(here) : new OwnHub();
}

export function chooseCarrier(): Carrier {
  if (typeof SharedWorker === "undefined") return withoutWorker();
  const worker = new SharedWorker(new URL("./worker.ts", import.meta.url), { type: "module" });
  return new WorkerHub(worker, withoutWorker);
}
