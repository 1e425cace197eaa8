/**
 * The loaded part of a long list, in pages of equal length.
 *
 * News make every page stale, but only those on screen (and the first) are fetched again. A page that came back
 * tells where the next one begins now; that one follows when the user looks at it. So an event costs two or three
 * requests, however far the user has scrolled, and rows above the screen stay where they are.
 */
import type { JobPage, JobRow } from "@/lib/api/schema";

export const PAGE_ROWS = 100;

export interface Page {
  /** The cursor that fetches it; null for the first. */
  start: string | null;
  rows: readonly JobRow[];
  next: string | null;
  stale: boolean;
}

export interface Loaded {
  pages: readonly Page[];
  counts: Readonly<Record<string, number>>;
  /** False: there are at least so many. */
  exact: boolean;
}

/** Rows that the user looks at, and how many shall be loaded in all. */
export interface Wanted {
  first: number;
  last: number;
  reach: number;
}

export type FetchPage = (cursor: string | null) => Promise<JobPage>;

export async function refreshPages(
  before: Loaded | undefined,
  wanted: Wanted,
  isOutdated: boolean,
  fetchPage: FetchPage,
): Promise<Loaded> {
  const pages: Page[] = (before?.pages ?? []).map((page) => (isOutdated ? { ...page, stale: true } : page));
  const known = new Map(
    (before?.pages ?? []).flatMap(({ rows }) => rows.map((row) => [row.ref, row] as const)),
  );
  let tally: Pick<Loaded, "counts" | "exact"> = before ?? { counts: {}, exact: true };

  async function load(index: number, start: string | null): Promise<void> {
    const answer = await fetchPage(start);
    tally = { counts: answer.counts, exact: answer.counts_exact };
    pages[index] = {
      start,
      rows: answer.jobs.map((row) => reuse(known.get(row.ref), row)),
      next: answer.next ?? null,
      stale: false,
    };
    chain(pages, index);
  }

  for (const index of pagesOf(wanted)) {
    while (pages.length <= index && hasMore(pages)) await load(pages.length, nextStart(pages));
    const page = pages[index];
    if (page?.stale) await load(index, page.start);
  }
  while (pages.length * PAGE_ROWS < wanted.reach && hasMore(pages))
    await load(pages.length, nextStart(pages));
  return { pages, ...tally };
}

/** Whether something that is looked at has yet to be fetched. */
export function isWanting(loaded: Loaded, wanted: Wanted): boolean {
  const { pages } = loaded;
  return pagesOf(wanted).some((index) => (index < pages.length ? pages[index]?.stale : hasMore(pages)));
}

export function hasMore(pages: readonly Page[]): boolean {
  const last = pages.at(-1);
  return last === undefined || last.next !== null;
}

/** All rows, each once: while pages are of different ages, a job may be on two of them. */
export function rowsOf(loaded: Loaded | undefined): JobRow[] {
  const seen = new Set<string>();
  const rows: JobRow[] = [];
  for (const page of loaded?.pages ?? []) {
    for (const row of page.rows) {
      if (seen.has(row.ref)) continue;
      seen.add(row.ref);
      rows.push(row);
    }
  }
  return rows;
}

/** The same list with one row elsewhere, as it will be once the server has moved the job. */
export function withMoved(loaded: Loaded, ref: string, to: number): Loaded {
  const rows = rowsOf(loaded);
  const from = rows.findIndex((row) => row.ref === ref);
  const [moved] = from < 0 ? [] : rows.splice(from, 1);
  if (!moved) return loaded;
  rows.splice(to, 0, moved);
  let taken = 0;
  const pages = loaded.pages.map((page, index) => {
    const length = index === loaded.pages.length - 1 ? rows.length - taken : page.rows.length;
    const part = rows.slice(taken, taken + length);
    taken += length;
    return { ...page, rows: part };
  });
  return { ...loaded, pages };
}

/** The first page is always among them: it tells what is new on top. */
function pagesOf({ first, last }: Wanted): number[] {
  const from = Math.floor(Math.max(0, first) / PAGE_ROWS);
  const to = Math.floor(Math.max(0, last) / PAGE_ROWS);
  const seen = Array.from({ length: to - from + 1 }, (_, n) => from + n);
  return from === 0 ? seen : [0, ...seen];
}

function nextStart(pages: readonly Page[]): string | null {
  return pages.at(-1)?.next ?? null;
}

/** Ties the following page to where this one ends now. */
function chain(pages: Page[], index: number): void {
  const { next } = pages[index] as Page;
  const following = pages[index + 1];
  if (!following) return;
  if (next === null) pages.length = index + 1;
  else if (following.start !== next) pages[index + 1] = { ...following, start: next, stale: true };
}

/** A row that did not change stays the same object, so that it is not drawn again. */
function reuse(old: JobRow | undefined, row: JobRow): JobRow {
  return old && JSON.stringify(old) === JSON.stringify(row) ? old : row;
}
