// @vitest-environment node
import { expect, test } from "vitest";
import type { EventRow } from "../api/schema";
import { Endings, tellingsOf } from "./endings";

function event(after: string, more: Partial<EventRow> = {}, data: Record<string, unknown> = {}): EventRow {
  return {
    id: 1,
    at: 1000,
    kind: "job.state",
    job: 12,
    index: null,
    attempt: 1,
    node: null,
    actor: null,
    ...more,
    data: { owner: "li", before: "running", after, ...data },
  };
}

const hear = (...events: EventRow[]) => {
  const endings = new Endings("li");
  return events.map((each) => endings.hear(each)?.state ?? null);
};

test("my jobs that end are told of, and no other user's", () => {
  expect(hear(event("succeeded"), event("failed"), event("running"))).toEqual(["succeeded", "failed", null]);
  expect(hear(event("failed", {}, { owner: "wang" }))).toEqual([null]);
  expect(hear(event("deleted", {}, { before: "failed" }), event("waiting"))).toEqual([null, null]);
});

test("an array is told of once, its tasks are not", () => {
  expect(hear(event("failed", { index: 3 }), event("failed"))).toEqual([null, "failed"]);
});

test("what I cancelled myself I know; what another user did I do not", () => {
  expect(hear(event("cancelled", { actor: "li" }, { before: "waiting" }))).toEqual([null]);
  expect(hear(event("stopping", { actor: "li" }), event("cancelled"))).toEqual([null, null]);
  expect(hear(event("stopping", { actor: "boss" }), event("cancelled"))).toEqual([null, "cancelled"]);
  expect(hear(event("stopping", { actor: "li" }), event("succeeded"))).toEqual([null, "succeeded"]);
  const withdrawn = { kind: "job.stop_changed" as const, actor: "boss" };
  expect(hear(event("stopping", { actor: "li" }), event("", withdrawn), event("cancelled"))).toEqual([
    null,
    null,
    "cancelled",
  ]);
});

test("a few are told one by one, many together", () => {
  const ended = (job: number, state: "succeeded" | "failed" = "succeeded") => ({
    key: `danlu ${job} 1000`,
    ref: String(job),
    state,
  });
  expect(tellingsOf([ended(1), ended(2)]).map(({ tag }) => tag)).toEqual(["danlu 1 1000", "danlu 2 1000"]);
  expect(tellingsOf([ended(1), ended(2), ended(3), ended(4, "failed")])).toMatchObject([
    { kind: "many", count: 4, failed: 1 },
  ]);
  expect(tellingsOf([])).toEqual([]);
});
