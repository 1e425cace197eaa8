// @vitest-environment node
import { expect, test } from "vitest";
import { applySgr, PLAIN } from "../text/ansi";
import { markSpans } from "./highlight";

const red = applySgr(PLAIN, "31");

test("marks every place, whatever the case, across colours", () => {
  const marked = markSpans(
    [
      { text: "Loss 0.5 lo", style: PLAIN },
      { text: "ss 0.4 丹", style: red },
    ],
    "LOSS",
  );
  expect(marked.filter(({ isHit }) => isHit).map(({ text }) => text)).toEqual(["Loss", "lo", "ss"]);
  expect(marked.map(({ text }) => text).join("")).toBe("Loss 0.5 loss 0.4 丹");
  expect(marked.at(-1)?.style).toBe(red);
});

test("leaves a row without it as it is", () => {
  const spans = [{ text: "nothing", style: PLAIN }];
  expect(markSpans(spans, "x")).toEqual([{ ...spans[0], isHit: false }]);
});
