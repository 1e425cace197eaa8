import { describe, expect, it } from "vitest";
import { parseDuration } from "@/lib/format";
import { writeDuration } from "@/lib/quantities";
import { editOf, formOf, namesSet, showValue } from "./defaults";

describe("a duration in a form", () => {
  it.each([1, 59, 60, 3661, 90061, 86400, 5400, 0.5, 12.25])("of %d s is read back as it was", (seconds) => {
    expect(parseDuration(writeDuration(seconds))).toBe(seconds);
  });
});

describe("an edit of defaults", () => {
  const before = {
    directory: "/data/li",
    gpus: 2,
    time_limit_s: 3725,
    environment: "torch",
    urgent: true,
  };

  it("is none when nothing was changed", () => {
    expect(editOf(before, formOf(before))).toBeNull();
    expect(editOf({}, formOf({}))).toBeNull();
  });

  it("sets what is new and clears what was emptied", () => {
    const form = {
      ...formOf(before),
      directory: "  ",
      gpus: 0,
      time_limit_s: "2h",
      environment: "",
      retries: 3,
    };
    expect(editOf(before, form)).toEqual({
      set: { gpus: 0, time_limit_s: 7200, retries: 3 },
      clear: ["directory", "environment"],
    });
  });

  it("leaves fields alone that have no place in the form", () => {
    const edit = editOf(before, { ...formOf(before), gpus: null });
    expect(edit).toEqual({ set: {}, clear: ["gpus"] });
  });
});

it("zero and false are set, null is not", () => {
  expect(namesSet({ gpus: 0, urgent: false, node: null })).toEqual(["gpus", "urgent"]);
});

it.each([
  ["urgent", true, "yes"],
  ["share", false, "no"],
  ["gpu_memory_mb", 4096, "4 GB"],
  ["grace_s", 90, "1m30s"],
  ["gpu_ids", [0, 2], "0, 2"],
  ["variables", { A: "1", B: "2" }, "A=1  B=2"],
  ["node", "n1", "n1"],
] as const)("%s = %j reads %s", (name, value, said) => {
  expect(showValue(name, value, "yes", "no")).toBe(said);
});
