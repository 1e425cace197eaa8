import { beforeEach, expect, test } from "vitest";
import { draftPlace, dropDraft, makeKey, readDraft, writeDraft } from "./draft";
import { EMPTY_FORM, toForm } from "./jobForm";
import { sampleJobs } from "./samples";

const PLACE = draftPlace("li", "/jobs/new");

beforeEach(() => sessionStorage.clear());

test("a draft comes back as it was left", () => {
  for (const job of sampleJobs(50)) {
    const draft = { form: toForm(job), key: "k" };
    writeDraft(PLACE, draft);
    expect(readDraft(PLACE, EMPTY_FORM)).toEqual(draft);
  }
});

test("another user, and another address, find nothing", () => {
  writeDraft(PLACE, { form: EMPTY_FORM, key: "k" });
  expect(readDraft(draftPlace("wang", "/jobs/new"), EMPTY_FORM)).toBeNull();
  expect(readDraft(draftPlace("li", "/jobs/new?like=3"), EMPTY_FORM)).toBeNull();
});

test("a dropped draft is gone", () => {
  writeDraft(PLACE, { form: EMPTY_FORM, key: "k" });
  dropDraft(PLACE);
  expect(readDraft(PLACE, EMPTY_FORM)).toBeNull();
});

test.each(["nonsense{", "null", "3", '{"key":1,"form":{}}', '{"key":"k"}'])("%j is no draft", (kept) => {
  sessionStorage.setItem(PLACE, kept);
  expect(readDraft(PLACE, EMPTY_FORM)).toBeNull();
});

test("what is missing or of another kind is as the form begins", () => {
  sessionStorage.setItem(
    PLACE,
    JSON.stringify({ key: "k", form: { command: "ls", gpus: "two", stage: "x", old: 1 } }),
  );
  expect(readDraft(PLACE, EMPTY_FORM)?.form).toEqual({ ...EMPTY_FORM, command: "ls" });
});

test("nothing is kept beyond the tab", () => {
  writeDraft(PLACE, { form: { ...EMPTY_FORM, variables: [{ name: "TOKEN", value: "secret" }] }, key: "k" });
  expect(JSON.stringify({ ...localStorage })).not.toContain("secret");
});

test("two submissions never have the same name", () => {
  expect(new Set(Array.from({ length: 100 }, makeKey)).size).toBe(100);
});
