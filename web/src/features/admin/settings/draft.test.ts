import { describe, expect, it } from "vitest";
import { matching, readDraft, showValue } from "./draft";

const days = { kind: "number", least: 0, most: 36_500 } as const;

describe("what is typed for a setting", () => {
  it.each([
    ["30", { value: 30 }],
    [" 0 ", { value: 0 }],
    ["36500", { value: 36_500 }],
    ["36501", { problem: "between" }],
    ["-1", { problem: "between" }],
    ["1.5", { problem: "whole" }],
    ["", { problem: "missing" }],
    ["many", { problem: "missing" }],
  ])("the number %j", (typed, read) => {
    expect(readDraft(days, typed)).toEqual(read);
  });

  it("a number without bounds", () => {
    expect(readDraft({ kind: "number", least: null, most: null }, "-7")).toEqual({ value: -7 });
  });

  it("a text may be empty", () => {
    expect(readDraft({ kind: "text", least: null, most: null }, "  ")).toEqual({ value: "" });
  });
});

it("settings are found by title, meaning, and their name on the command line", () => {
  const rows = [
    { name: "auto_gpus", title: "Most GPUs", text: "for jobs" },
    { name: "events_days", title: "Days", text: "that events are kept" },
  ];
  const names = (text: string) => matching(rows, text).map(({ name }) => name);
  expect(names("gpus")).toEqual(["auto_gpus"]);
  expect(names("events-days")).toEqual(["events_days"]);
  expect(names("KEPT")).toEqual(["events_days"]);
  expect(names("")).toHaveLength(2);
});

it("a value is said with its unit", () => {
  const words = { on: "on", off: "off", empty: "empty" };
  expect(showValue({ unit: "days" }, 90, words)).toBe("90 days");
  expect(showValue({ unit: "" }, 3, words)).toBe("3");
  expect(showValue({ unit: "" }, true, words)).toBe("on");
  expect(showValue({ unit: "" }, "", words)).toBe("empty");
});
