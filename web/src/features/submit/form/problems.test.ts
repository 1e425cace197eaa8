import { expect, test } from "vitest";
import { gatherProblems } from "./problems";

const empty = { code: "no_command", message: "There is no command.", field: "command" };
const large = {
  code: "no_such_hardware",
  message: "No node has 99 GPUs.",
  hint: "Ask for fewer.",
  field: "gpus",
};

test("an empty command is told once the user has begun", () => {
  expect(gatherProblems({ unread: [], server: [empty], begun: false }).at.size).toBe(0);
  expect(gatherProblems({ unread: [], server: [empty], begun: true }).at.get("command")).toBe(
    "There is no command.",
  );
});

test("the remedy stands behind the problem, at its field", () => {
  const { at, loose } = gatherProblems({ unread: [], server: [large], begun: false });
  expect(at.get("gpus")).toBe("No node has 99 GPUs. Ask for fewer.");
  expect(loose).toEqual([]);
});

test("what has no field is not lost, nor told twice", () => {
  const problem = { code: "no_account", message: "Nobody to run as." };
  expect(gatherProblems({ unread: [], server: [problem, problem], begun: true }).loose).toEqual([
    "Nobody to run as.",
  ]);
});

test("what cannot be read comes before what the server thinks of the rest", () => {
  const { at } = gatherProblems({ unread: [["gpus", "No number."]], server: [large], begun: true });
  expect([...at]).toEqual([["gpus", "No number."]]);
});
