import { expect, test } from "vitest";
import type { JobDetail, JobRow } from "@/lib/api/schema";
import { ownFields, whyNotEditable } from "./editable";

function detail(job: Partial<JobRow>, more: Partial<JobDetail> = {}): JobDetail {
  return {
    job: { index: null, array: null, state: "waiting", ...job },
    may: ["read", "stop", "change"],
    fields: {},
    ...more,
  } as JobDetail;
}

const tasks = { total: 4, waiting: 4, active: 0, succeeded: 0, failed: 0, cancelled: 0 };

test.each([
  [detail({}), null],
  [detail({ state: "held" }), null],
  [detail({ state: "failed" }), null],
  [detail({ state: "running" }), "running"],
  [detail({ state: "stopping" }), "running"],
  [detail({ state: "deleted" }), "deleted"],
  [detail({ index: 3 }), "element"],
  [detail({}, { may: [], fields: null }), "notYours"],
  [detail({}, { may: ["read", "stop"] }), "notYours"],
  [detail({ array: tasks }), null],
  [detail({ array: { ...tasks, waiting: 3, active: 1 } }), "array"],
  [detail({ array: { ...tasks, waiting: 0, cancelled: 4 }, state: "cancelled" }), "array"],
])("case %#", (job, obstacle) => expect(whyNotEditable(job)).toBe(obstacle));

test("a job on hold shows so", () => {
  expect(ownFields(detail({ state: "held" })).hold).toBe(true);
  expect(ownFields(detail({})).hold).toBe(false);
});
