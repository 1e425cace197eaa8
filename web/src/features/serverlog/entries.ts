/** What is kept of the log on the page: in order, each entry once. Pure. */
import type { ServerLogEntry } from "@/lib/api/schema";

/** More than the server itself remembers. */
export const MOST = 6000;

/** Newer entries behind those there are; the oldest go when it becomes too many. */
export function addNewer(
  entries: readonly ServerLogEntry[],
  newer: readonly ServerLogEntry[],
): readonly ServerLogEntry[] {
  const last = entries.at(-1)?.id ?? -1;
  const fresh = newer.filter(({ id }) => id > last);
  if (fresh.length === 0) return entries;
  return [...entries, ...fresh].slice(-MOST);
}

/** Older entries before those there are. */
export function addOlder(
  entries: readonly ServerLogEntry[],
  older: readonly ServerLogEntry[],
): readonly ServerLogEntry[] {
  const first = entries[0]?.id ?? Number.POSITIVE_INFINITY;
  const fresh = older.filter(({ id }) => id < first);
  return fresh.length === 0 ? entries : [...fresh, ...entries];
}

/** As lines of a file, for a mail to an administrator. */
export function writeEntries(entries: readonly ServerLogEntry[]): string {
  return entries
    .map(
      ({ at, level, source, text }) =>
        `${new Date(at * 1000).toISOString()} ${level.toUpperCase()} ${source} ${text}\n`,
    )
    .join("");
}

/** `14:05:09`, with the date before it on another day than `now`. */
export function showTime(at: number, now: number): string {
  const [time, today] = [new Date(at * 1000), new Date(now * 1000)];
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
  const same = time.toDateString() === today.toDateString();
  return same ? clock : `${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`;
}
