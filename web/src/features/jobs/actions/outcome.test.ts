import { describe, expect, it } from "vitest";
import { inParts, nameFew, outcomeOf } from "./outcome";

describe("the outcome of an action on many jobs", () => {
  it("counts what was done and keeps every refusal in words", () => {
    const problem = { code: "not_yours", message: "Job 2 belongs to wang." };
    const outcome = outcomeOf(
      [
        { ref: "1", ok: true, id: 7 },
        { ref: "2", ok: false, problem },
      ],
      [
        { ref: "1", name: "train" },
        { ref: "2", name: "test" },
      ],
    );
    expect(outcome).toEqual({
      done: 1,
      copies: [7],
      refusals: [{ ref: "2", name: "test", message: "Job 2 belongs to wang." }],
    });
  });

  it("names a few and counts the rest, never just one", () => {
    expect(nameFew([1, 2, 3, 4, 5, 6])).toEqual({ named: [1, 2, 3, 4, 5, 6], more: 0 });
    expect(nameFew([1, 2, 3, 4, 5, 6, 7])).toEqual({ named: [1, 2, 3, 4, 5], more: 2 });
  });

  it("goes in parts that the server takes", () => {
    expect(inParts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(inParts([], 2)).toEqual([]);
  });
});
