import { describe, expect, it } from "vitest";
import type { ServerLogEntry } from "@/lib/api/schema";
import { addNewer, addOlder, MOST, showTime, writeEntries } from "./entries";

function entry(id: number, text = `line ${id}`): ServerLogEntry {
  return { id, at: 1_700_000_000 + id, level: "info", source: "danlu.control", text };
}

const ids = (entries: readonly ServerLogEntry[]) => entries.map(({ id }) => id);

describe("the log on the page", () => {
  it("holds each entry once, in order, however often it is told", () => {
    const held = addNewer([entry(4), entry(5)], [entry(5), entry(6)]);
    expect(ids(addOlder(held, [entry(2), entry(3), entry(4)]))).toEqual([2, 3, 4, 5, 6]);
  });

  it("is the same object when nothing is new: nothing is drawn again", () => {
    const held = [entry(4)];
    expect(addNewer(held, [entry(3)])).toBe(held);
    expect(addOlder(held, [entry(4)])).toBe(held);
  });

  it("forgets the oldest when it becomes too long", () => {
    const many = Array.from({ length: MOST }, (_, id) => entry(id));
    const held = addNewer(many, [entry(MOST)]);
    expect(held.length).toBe(MOST);
    expect(held[0]?.id).toBe(1);
  });

  it("is written as lines of a file", () => {
    expect(writeEntries([entry(0, "started")])).toBe("2023-11-14T22:13:20.000Z INFO danlu.control started\n");
  });
});

it("a time has its date on another day", () => {
  const noon = new Date(2026, 4, 6, 12, 0, 9).getTime() / 1000;
  expect(showTime(noon, noon + 60)).toBe("12:00:09");
  expect(showTime(noon, noon + 86_400)).toBe("05-06 12:00:09");
});
