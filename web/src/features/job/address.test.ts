import { expect, it } from "vitest";
import { readJobSearch } from "./address";

it.each([
  [
    { attempt: 2, at: 17, to: 40 },
    { attempt: 2, at: 17, to: 40 },
  ],
  [{ at: 0 }, { at: 0 }],
  [{ at: "12" }, { at: 12 }],
  [{ at: 40, to: 40 }, { at: 40 }],
  [{ at: 40, to: 17 }, { at: 40 }],
  [{ to: 17 }, {}],
  [{ at: -1 }, {}],
  [{ at: 1.5 }, {}],
  [{ at: "" }, {}],
  [{ at: null }, {}],
  [{ at: [3] }, {}],
  [{ at: 2 ** 60 }, {}],
  [{ attempt: "x", rank: -2, stream: "stdin" }, {}],
])("the address of a place in a log: %o", (raw, read) => {
  expect(readJobSearch(raw)).toEqual(read);
});
