// @vitest-environment node
import { expect, test } from "vitest";
import type { EventRow } from "@/lib/api/schema";
import { happenings, shorten } from "./timeline";

let id = 0;
function event(kind: EventRow["kind"], data: EventRow["data"] = {}, actor: string | null = null): EventRow {
  id += 1;
  return { id, at: id, kind, job: 1, attempt: 2, node: "n2", actor, data };
}

function keysOf(...events: EventRow[]): string[] {
  return happenings(events).map(({ key }) => key);
}

test("the life of a job in sentences", () => {
  expect(
    keysOf(
      event("job.submitted", { owner: "li" }, "li"),
      event("job.moved", { place: 1 }, "admin"),
      event("job.state", { before: "waiting", after: "starting", gpu_ids: [0, 1] }),
      event("job.state", { before: "starting", after: "running" }),
      event("job.state", { before: "running", after: "waiting", end_reason: "exit_code", exit_code: 3 }),
      event("job.state", { before: "waiting", after: "starting", gpu_ids: [] }),
      event("job.state", { before: "running", after: "stopping", intent: "cancel" }, "li"),
      event("job.stop_changed", { intent: "kill" }, "admin"),
      event("job.state", { before: "stopping", after: "cancelled", end_reason: "cancelled" }),
      event("job.state", { before: "cancelled", after: "waiting", edited: true }, "li"),
    ),
  ).toEqual([
    "eventSubmitted",
    "eventMoved",
    "eventStartingGpus",
    "eventRunning",
    "eventRetry",
    "eventStarting",
    "eventCancelAsked",
    "eventKillAsked",
    "eventCancelled",
    "eventAgain",
  ]);
});

test("facts come along", () => {
  const [start] = happenings([event("job.state", { after: "starting", gpu_ids: [0, 3] })]);
  expect(start?.facts).toEqual({ number: 2, node: "n2", gpus: "0, 3" });
  const several = {
    nodes: ["n1", "n2"],
    gpus_on_nodes: [
      [0, 1],
      [2, 3],
    ],
    gpu_ids: [0, 1],
  };
  const [gang] = happenings([event("job.state", { after: "starting", ...several })]);
  expect(gang?.key).toBe("eventStartingManyGpus");
  expect(gang?.facts).toEqual({ number: 2, nodes: "n1, n2", gpus: 4 });
  const [failed] = happenings([event("job.state", { after: "failed", end_reason: "signal", signal: 9 })]);
  expect(failed?.end).toEqual({ reason: "signal", exitCode: null, signal: 9 });
  const [copied] = happenings([event("job.submitted", { owner: "li" }, "admin")]);
  expect(copied?.key).toBe("eventSubmittedFor");
});

test("events of other things are left out, unknown ones said plainly", () => {
  expect(keysOf(event("node.up"), event("job.state", { after: "?" }))).toEqual(["eventOther"]);
});

test("many are shortened to the first and the last, and none is lost", () => {
  const all = Array.from({ length: 40 }, (_, n) => n);
  const { head, between, tail } = shorten(all, false);
  expect([...head, ...tail].length + between).toBe(40);
  expect(head[0]).toBe(0);
  expect(tail.at(-1)).toBe(39);
  expect(shorten(all, true).head).toEqual(all);
  expect(shorten(all.slice(0, 11), false).between).toBe(0);
});
