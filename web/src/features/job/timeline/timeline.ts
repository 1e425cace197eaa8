/** What happened to a job, one sentence for each event. */
import type { EndReason, EventRow } from "@/lib/api/schema";
import { nameNodes } from "@/ui/job/places";
import type { Tone } from "@/ui/look/tones";
import type { words } from "../words";

type SayKey = keyof typeof words;

export interface Happening {
  id: number;
  at: number;
  tone: Tone;
  key: SayKey;
  facts: Record<string, string | number>;
  actor: string | null;
  /** Why an attempt ended. */
  end: { reason: EndReason; exitCode: number | null; signal: number | null } | null;
}

const FALLBACK: Pick<Happening, "tone" | "key"> = { tone: "idle", key: "eventOther" };

export function happenings(events: readonly EventRow[]): Happening[] {
  return (
    events
      // How each of many tasks fares stands in their own list.
      .filter(({ kind }) => kind.startsWith("job.") && kind !== "job.task")
      .map((event) => {
        const { tone, key, ...more } = tell(event);
        return { id: event.id, at: event.at, tone, key, facts: {}, actor: event.actor, end: null, ...more };
      })
  );
}

type Told = Pick<Happening, "tone" | "key"> & Partial<Happening>;

function tell(event: EventRow): Told {
  const { kind, data, actor } = event;
  if (kind === "job.submitted") {
    const owner = String(data.owner ?? "");
    if (actor && owner && actor !== owner)
      return { tone: "idle", key: "eventSubmittedFor", facts: { owner } };
    return { tone: "idle", key: "eventSubmitted" };
  }
  if (kind === "job.edited") return { tone: "idle", key: "eventEdited" };
  if (kind === "job.moved") return { tone: "idle", key: "eventMoved", facts: { place: Number(data.place) } };
  if (kind === "job.dependency_dropped") {
    return { tone: "idle", key: "eventPredecessorGone", facts: { job: String(data.predecessor) } };
  }
  if (kind === "job.stop_changed") return tellStop(data);
  return kind === "job.state" ? tellState(event) : FALLBACK;
}

/** Why it is being stopped; whatever else there may be sends it back to the queue. */
const STOPS: Record<string, Told["key"]> = {
  cancel: "eventCancelAsked",
  kill: "eventKillAsked",
  gpu_fault: "eventGpuFault",
  task_failed: "eventTaskFailed",
  task_done: "eventTaskDone",
  node_lost: "eventNodeLost",
  resize: "eventResized",
};

function tellStop(data: EventRow["data"]): Told {
  return { tone: "idle", key: STOPS[String(data.intent)] ?? "eventSentBack" };
}

function tellState({ data, attempt, node }: EventRow): Told {
  const number = attempt ?? 0;
  const end = endOf(data);
  switch (data.after) {
    case "starting":
      return tellStart(data, node, number);
    case "running":
      return { tone: "busy", key: "eventRunning" };
    case "stopping":
      return tellStop(data);
    case "held":
      return { tone: "idle", key: data.restored ? "eventHeldRestored" : "eventHeld" };
    case "waiting":
      if (data.edited) return { tone: "idle", key: "eventAgain" };
      if (end)
        return {
          tone: end.reason === "requeued" ? "idle" : "sick",
          key: "eventRetry",
          facts: { number },
          end,
        };
      return { tone: "idle", key: "eventReleased" };
    case "succeeded":
      return { tone: "free", key: "eventSucceeded", end };
    case "failed":
      return { tone: "sick", key: "eventFailed", end };
    case "cancelled":
      return { tone: "idle", key: "eventCancelled" };
    case "deleted":
      return { tone: "idle", key: "eventDeleted" };
    default:
      return FALLBACK;
  }
}

function tellStart(data: EventRow["data"], node: string | null, number: number): Told {
  if (Array.isArray(data.nodes) && data.nodes.length > 1) {
    const all = Array.isArray(data.gpus_on_nodes) ? data.gpus_on_nodes.flat().length : 0;
    const told = { number, nodes: nameNodes(data.nodes.map(String)), gpus: all };
    return { tone: "busy", key: all ? "eventStartingManyGpus" : "eventStartingMany", facts: told };
  }
  const gpus = Array.isArray(data.gpu_ids) ? data.gpu_ids.join(", ") : "";
  const facts = { number, node: node ?? "?", gpus };
  return { tone: "busy", key: gpus ? "eventStartingGpus" : "eventStarting", facts };
}

function endOf(data: EventRow["data"]): Happening["end"] {
  if (typeof data.end_reason !== "string") return null;
  return {
    reason: data.end_reason as EndReason,
    exitCode: typeof data.exit_code === "number" ? data.exit_code : null,
    signal: typeof data.signal === "number" ? data.signal : null,
  };
}

const FEW = 10;
const HEAD = 2;

/** The first and the last of many, and how many lie between. */
export function shorten<T>(
  all: readonly T[],
  whole: boolean,
): { head: readonly T[]; between: number; tail: readonly T[] } {
  if (whole || all.length <= FEW + 1) return { head: all, between: 0, tail: [] };
  return { head: all.slice(0, HEAD), between: all.length - FEW, tail: all.slice(HEAD - FEW) };
}
