import { expect, test } from "vitest";
import { readArray } from "./arraySpec";

test.each([
  ["0-99%10", 100, 10],
  ["1,3,5-9", 7, null],
  ["0-100:10", 11, null],
  ["1,1-3", 3, null],
  ["7", 1, null],
  [" 0 - 9 % 2 ", 10, 2],
])("%s", (text, total, atMost) => {
  expect(readArray(text)).toEqual({ total, atMost });
});

test.each(["", "a", "3-1", "0-9%0", "0-9%", "1,,2", "0-9%2%3", "0-200000", "0-5:0", "-1"])(
  "%j is none",
  (text) => {
    expect(readArray(text)).toBeNull();
  },
);
