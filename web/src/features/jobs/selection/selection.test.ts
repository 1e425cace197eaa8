import { describe, expect, it } from "vitest";
import type { JobRow, JobState, Me } from "@/lib/api/schema";
import {
  chooseAll,
  countYours,
  extendTo,
  mayTouch,
  NONE_CHOSEN,
  offers,
  renew,
  suits,
  toggle,
} from "./selection";

const li = { name: "li", role: "member" } as Me;
const admin = { name: "root", role: "admin" } as Me;

function job(id: number, owner = "li", state: JobState = "waiting"): JobRow {
  return { id, ref: String(id), owner, state, name: `job ${id}` } as JobRow;
}

const rows = [job(1), job(2, "wang"), job(3), job(4), job(5)];

describe("choosing rows", () => {
  it("turns one on and off again", () => {
    const [first] = rows as [JobRow];
    const once = toggle(NONE_CHOSEN, first);
    expect([...once.keys()]).toEqual(["1"]);
    expect(toggle(once, first).size).toBe(0);
  });

  it("takes a range in either direction, without what is another user's", () => {
    expect([...extendTo(NONE_CHOSEN, rows, "1", "4", li).keys()]).toEqual(["1", "3", "4"]);
    expect([...extendTo(NONE_CHOSEN, rows, "4", "1", admin).keys()]).toEqual(["1", "2", "3", "4"]);
  });

  it("takes one when the range has no beginning, and nothing when it has no end", () => {
    expect([...extendTo(NONE_CHOSEN, rows, null, "3", li).keys()]).toEqual(["3"]);
    expect([...extendTo(NONE_CHOSEN, rows, "gone", "3", li).keys()]).toEqual(["3"]);
    expect(extendTo(NONE_CHOSEN, rows, "1", "gone", li).size).toBe(0);
  });

  it("adds to what is chosen already", () => {
    const before = toggle(NONE_CHOSEN, job(9));
    expect([...chooseAll(before, rows, li).keys()]).toEqual(["9", "1", "3", "4", "5"]);
  });

  it("knows them as they are now, and how many have left the list", () => {
    const chosen = chooseAll(NONE_CHOSEN, rows, admin);
    const { jobs, gone } = renew(chosen, [job(1, "li", "held"), job(3)]);
    expect(gone).toBe(3);
    expect(jobs[0]?.state).toBe("held");
    expect(jobs).toHaveLength(5);
  });
});

describe("what is offered", () => {
  it("to whom", () => {
    expect(mayTouch(li, job(1))).toBe(true);
    expect(mayTouch(li, job(1, "wang"))).toBe(false);
    expect(mayTouch(admin, job(1, "wang"))).toBe(true);
    expect(mayTouch({ name: "li", role: "viewer" }, job(1))).toBe(false);
  });

  it("for which states", () => {
    expect(suits("hold", "held")).toBe(false);
    expect(suits("release", "held")).toBe(true);
    expect(suits("delete", "running")).toBe(false);
    expect(suits("cancel", "failed")).toBe(false);
    expect(suits("resubmit", "running")).toBe(true);
  });

  it("in which area, greyed out where it would do nothing", () => {
    expect(offers("running", ["running"])).toEqual([
      { action: "resubmit", apt: true },
      { action: "cancel", apt: true },
    ]);
    const held = offers("waiting", ["held"]);
    expect(held.find(({ action }) => action === "hold")?.apt).toBe(false);
    expect(held.find(({ action }) => action === "release")?.apt).toBe(true);
  });

  it("for how many of all that match", () => {
    const matching = { yours: { waiting: 1990, held: 24 } };
    expect(countYours(matching)).toBe(2014);
    expect(countYours(matching, "hold")).toBe(1990);
    expect(countYours(matching, "release")).toBe(24);
  });
});
