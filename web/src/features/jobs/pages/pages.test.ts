import { describe, expect, it } from "vitest";
import type { JobPage, JobRow } from "@/lib/api/schema";
import { hasMore, isWanting, type Loaded, PAGE_ROWS, refreshPages, rowsOf, withMoved } from "./pages";

function row(id: number): JobRow {
  return { id, ref: String(id), name: `job ${id}`, owner: "li" } as JobRow;
}

/** A list on a server: its cursors name the last row before a page, as the real ones do. */
class Line {
  asked: (string | null)[] = [];
  constructor(public ids: number[]) {}

  readonly fetch = async (cursor: string | null): Promise<JobPage> => {
    this.asked.push(cursor);
    // Sorted downwards: what comes behind a cursor is smaller than it, whether or not that row is still there.
    const behind = cursor === null ? this.ids : this.ids.filter((id) => id < Number(cursor));
    const rows = behind.slice(0, PAGE_ROWS);
    const next = behind.length > PAGE_ROWS ? String(rows.at(-1)) : null;
    const counts = { waiting: 0, running: 0, history: this.ids.length };
    return { jobs: rows.map(row), next, counts, counts_exact: true };
  };
}

function downFrom(top: number, count: number): number[] {
  return Array.from({ length: count }, (_, n) => top - n);
}

const top = { first: 0, last: 20, reach: 0 };
const deep = { first: 310, last: 330, reach: 0 };

describe("pages of a long list", () => {
  it("loads only what is looked at, one page after the other", async () => {
    const line = new Line(downFrom(1000, 1000));
    const first = await refreshPages(undefined, top, false, line.fetch);
    expect(rowsOf(first)).toHaveLength(PAGE_ROWS);
    expect(first.counts.history).toBe(1000);
    const more = await refreshPages(first, deep, false, line.fetch);
    expect(rowsOf(more).map(({ id }) => id)).toEqual(downFrom(1000, 400));
    expect(line.asked).toHaveLength(4);
  });

  it("asks for nothing when nothing is wanting", async () => {
    const line = new Line(downFrom(1000, 1000));
    const loaded = await refreshPages(undefined, deep, false, line.fetch);
    expect(isWanting(loaded, deep)).toBe(false);
    const before = line.asked.length;
    await refreshPages(loaded, deep, false, line.fetch);
    expect(line.asked).toHaveLength(before);
  });

  it("after news fetches what is on screen and the first page, and leaves the rest for later", async () => {
    const line = new Line(downFrom(5000, 5000));
    const loaded = await refreshPages(undefined, { first: 0, last: 3999, reach: 0 }, false, line.fetch);
    expect(loaded.pages).toHaveLength(40);
    line.asked = [];
    const fresh = await refreshPages(loaded, { first: 2050, last: 2150, reach: 0 }, true, line.fetch);
    expect(line.asked).toHaveLength(3);
    expect(fresh.pages.filter(({ stale }) => stale)).toHaveLength(37);
  });

  it("keeps rows on screen where they are while others come on top", async () => {
    const line = new Line(downFrom(1000, 1000));
    const loaded = await refreshPages(undefined, deep, false, line.fetch);
    line.ids = [1003, 1002, 1001, ...line.ids];
    const fresh = await refreshPages(loaded, deep, true, line.fetch);
    expect(rowsOf(fresh)[320]).toBe(rowsOf(loaded)[320]);
    expect(rowsOf(fresh)[0]?.id).toBe(1003);
  });

  it("is whole again wherever the user scrolls after that", async () => {
    const line = new Line(downFrom(1000, 450));
    let loaded = await refreshPages(undefined, { first: 0, last: 449, reach: 0 }, false, line.fetch);
    line.ids = [1003, 1002, 1001, ...line.ids.filter((id) => id % 7 !== 0)];
    loaded = await refreshPages(loaded, deep, true, line.fetch);
    for (let first = 300; first >= 0; first -= 20) {
      const wanted = { first, last: first + 20, reach: 0 };
      loaded = await refreshPages(loaded, wanted, false, line.fetch);
      expect(isWanting(loaded, wanted)).toBe(false);
    }
    loaded = await refreshPages(loaded, { first: 0, last: 449, reach: 0 }, false, line.fetch);
    expect(rowsOf(loaded).map(({ id }) => id)).toEqual(line.ids);
    expect(hasMore(loaded.pages)).toBe(false);
  });

  it("drops pages that no longer exist", async () => {
    const line = new Line(downFrom(500, 500));
    const loaded = await refreshPages(undefined, { first: 0, last: 499, reach: 0 }, false, line.fetch);
    line.ids = line.ids.slice(0, 120);
    const fresh = await refreshPages(loaded, { first: 90, last: 110, reach: 0 }, true, line.fetch);
    expect(rowsOf(fresh)).toHaveLength(120);
  });

  it("reaches further when asked to", async () => {
    const line = new Line(downFrom(1000, 1000));
    const loaded = await refreshPages(undefined, { first: 0, last: 10, reach: 750 }, false, line.fetch);
    expect(rowsOf(loaded)).toHaveLength(800);
  });

  it("keeps unchanged rows as the very same objects", async () => {
    const line = new Line(downFrom(50, 50));
    const loaded = await refreshPages(undefined, top, false, line.fetch);
    const fresh = await refreshPages(loaded, top, true, line.fetch);
    expect(rowsOf(fresh)[7]).toBe(rowsOf(loaded)[7]);
  });

  it("shows each job once, even while two pages have it", () => {
    const page = (ids: number[]) => ({ start: null, rows: ids.map(row), next: null, stale: false });
    const loaded: Loaded = { pages: [page([3, 2]), page([2, 1])], counts: {}, exact: true };
    expect(rowsOf(loaded).map(({ id }) => id)).toEqual([3, 2, 1]);
  });
});

describe("a row that is moved", () => {
  it("stands elsewhere at once, over the borders of pages", async () => {
    const line = new Line(downFrom(300, 300));
    const loaded = await refreshPages(undefined, { first: 0, last: 299, reach: 0 }, false, line.fetch);
    const moved = withMoved(loaded, "150", 2);
    expect(
      rowsOf(moved)
        .slice(0, 4)
        .map(({ id }) => id),
    ).toEqual([300, 299, 150, 298]);
    expect(rowsOf(moved)).toHaveLength(300);
    expect(moved.pages.map(({ rows }) => rows.length)).toEqual([100, 100, 100]);
  });

  it("leaves the list alone when it is not there", async () => {
    const loaded = await refreshPages(undefined, top, false, new Line([3, 2, 1]).fetch);
    expect(withMoved(loaded, "9", 0)).toBe(loaded);
  });
});
