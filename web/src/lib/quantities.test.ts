import { expect, test } from "vitest";
import { parseDuration } from "./format";
import { parseMegabytes, writeDuration, writeMegabytes } from "./quantities";

test.each([0, 1, 59, 60, 90, 3600, 5400, 86400, 129600, 90061, 0.5, 7200.25])(
  "%s seconds are read as written",
  (n) => {
    expect(parseDuration(writeDuration(n))).toBe(n);
  },
);

test.each([
  ["90", 90],
  ["1:30", 90],
  ["300:00:00", 1080000],
  ["2-00:00:00", 172800],
  ["1w", 604800],
  ["1.5h", 5400],
])("%s is read as the command line reads it", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each(["", "soon", "2x", "h2", "-5", "1h30"])("%j is no duration", (text) => {
  expect(parseDuration(text)).toBeNull();
});

test.each([1, 500, 1024, 16384, 1500, 2 ** 21])("%s MB are read as written", (mb) => {
  expect(parseMegabytes(writeMegabytes(mb))).toBe(mb);
});

test.each([
  ["16 GB", 16384],
  ["16gib", 16384],
  ["2048", 2048],
  ["1.5G", 1536],
  ["1k", 1],
])("%s is read as the command line reads it", (text, mb) => {
  expect(parseMegabytes(text)).toBe(mb);
});

test.each(["", "much", "-1G", "1 X"])("%j is no size", (text) => {
  expect(parseMegabytes(text)).toBeNull();
});
