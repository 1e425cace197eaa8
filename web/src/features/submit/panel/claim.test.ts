import { describe, expect, test } from "vitest";
import { claimOf, type Known, OLD_AFTER_S } from "./claim";

const now: Known = {
  check: { ok: true, starts: "now", warnings: [] },
  failed: false,
  pending: false,
  ageS: 1,
  away: false,
  sending: false,
  problems: 0,
};
const warning = { code: "start_unchecked", message: "Not looked for." };

test("green is for what was asked just now, about what stands there now", () => {
  expect(claimOf(now)).toEqual({ claim: "fresh", tone: "free" });
  expect(claimOf({ ...now, check: { ok: true, starts: "later", warnings: [] } }).tone).toBe("foreign");
  expect(claimOf({ ...now, check: { ok: true, starts: "held", warnings: [] } }).tone).toBe("idle");
});

describe("nothing else is green", () => {
  test.each<[string, Partial<Known>, string, string]>([
    ["an empty form", { check: { ok: false, starts: "now", warnings: [] } }, "empty", "idle"],
    ["a form with a problem", { problems: 1 }, "problems", "sick"],
    ["a problem that may be mended by the last change", { problems: 1, pending: true }, "problems", "idle"],
    ["a form that has changed since", { pending: true }, "before", "idle"],
    ["a form that was empty", { pending: true, check: { ok: false, starts: null } }, "checking", "idle"],
    ["a form that was not checked yet", { check: null, pending: true }, "checking", "idle"],
    ["an old answer", { ageS: OLD_AFTER_S + 1 }, "old", "idle"],
    ["no answer", { failed: true }, "unreachable", "idle"],
    ["a server that is away", { away: true }, "unreachable", "idle"],
    ["a server that is away, and a problem", { away: true, problems: 2 }, "unreachable", "idle"],
    ["a form on its way", { sending: true }, "sending", "idle"],
    [
      "what could not be checked",
      { check: { ok: true, starts: "now", warnings: [warning] } },
      "fresh",
      "foreign",
    ],
  ])("%s", (_what, change, claim, tone) => {
    expect(claimOf({ ...now, ...change })).toEqual({ claim, tone });
  });
});
