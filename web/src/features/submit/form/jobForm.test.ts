import { expect, test } from "vitest";
import { changesBetween, isEmptyEdit } from "./changes";
import { EMPTY_FORM, sameForm, toFields, toForm } from "./jobForm";
import { sampleJobs } from "./samples";

const JOBS = sampleJobs(300);

test("what a job is made of goes through the form unchanged", () => {
  for (const job of JOBS) {
    const { fields, unread } = toFields(toForm(job));
    expect(unread).toEqual([]);
    expect(changesBetween(job, fields)).toEqual({ set: {}, clear: [] });
  }
});

test("a form that the user has not touched is the same after a round trip", () => {
  for (const job of JOBS) {
    const form = toForm(job);
    expect(sameForm(toForm(toFields(form).fields), form)).toBe(true);
  }
});

test("an edit made of the difference turns one job into the other", () => {
  for (const [place, before] of JOBS.entries()) {
    const after = JOBS[(place + 1) % JOBS.length] ?? before;
    const { set, clear } = changesBetween(before, toFields(toForm(after)).fields);
    const edited = { ...before, ...Object.fromEntries(clear.map((name) => [name, null])), ...set };
    expect(isEmptyEdit(changesBetween(edited, after))).toBe(true);
  }
});

test("only what differs is sent", () => {
  const before = { command: "a", gpus: 1, node: "n1", after: [2, 3], urgent: false };
  expect(
    changesBetween(before, { command: "a", gpus: 2, after: [3, 2], urgent: false, hold: false }),
  ).toEqual({
    set: { gpus: 2 },
    clear: ["node"],
  });
});

test("memory is said anew when it is about another kind of number", () => {
  const auto = { command: "a", gpus: "auto" as const, gpu_memory_mb: 100 };
  expect(changesBetween(auto, { ...auto, gpus: 2 })).toEqual({
    set: { gpus: 2, gpu_memory_mb: 100 },
    clear: [],
  });
  expect(changesBetween({ ...auto, gpus: 2 }, { ...auto, gpus: 3 })).toEqual({ set: { gpus: 3 }, clear: [] });
});

test("what goes without saying is no change when it is left out", () => {
  const before = { command: "a", nodes: "1", launcher: "plain" as const, only_nodes: ["n2", "n10"] };
  expect(changesBetween(before, { command: "a", only_nodes: ["n10", "n2"] })).toEqual({ set: {}, clear: [] });
  expect(changesBetween({ ...before, nodes: "2" }, before)).toEqual({ set: { nodes: "1" }, clear: [] });
});

test("an empty list is sent as such: it is not what the defaults say", () => {
  expect(changesBetween({ after: [2] }, { after: [] })).toEqual({ set: { after: [] }, clear: [] });
});

test("texts that mean nothing are named, and left out", () => {
  const { fields, unread } = toFields({
    ...EMPTY_FORM,
    time_limit_s: "soon",
    memory_mb: "lots",
    grace_s: "5s",
  });
  expect(unread.sort()).toEqual(["memory_mb", "time_limit_s"]);
  expect(fields.grace_s).toBe(5);
  expect(fields.time_limit_s).toBeUndefined();
});

test("a variable needs a name of its own", () => {
  const rows = (...variables: [string, string][]) =>
    toFields({ ...EMPTY_FORM, variables: variables.map(([name, value]) => ({ name, value })) });
  expect(rows(["", ""], [" A ", " 1 "]).fields.variables).toEqual({ A: " 1 " });
  expect(rows(["", "lost"]).unread).toEqual(["variables"]);
  expect(rows(["A", "1"], ["A", "2"]).unread).toEqual(["variables"]);
});
