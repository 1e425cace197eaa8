import { expect, test } from "vitest";
import { append, lastLines } from "./tail";

test.each([
  ["a\nb\nc\n", 2, ["b", "c"]],
  ["a\nb", 5, ["a", "b"]],
  ["", 3, []],
  [" 10%\r 50%\r100%\n", 3, ["100%"]],
  ["10%\r20%\r", 3, ["20%"]],
  ["a\r\nb\r\n", 3, ["a", "b"]],
  ["\u001b[31mred\u001b[0m\u001b[K\n", 3, ["red"]],
  ["a\n\nb\n", 3, ["a", "", "b"]],
])("%j", (text, count, lines) => expect(lastLines(text, count)).toEqual(lines));

test("what is kept does not grow for ever", () => {
  const kept = append("x".repeat(50_000), "\nend");
  expect(kept.length).toBe(20_000);
  expect(kept.endsWith("\nend")).toBe(true);
});
