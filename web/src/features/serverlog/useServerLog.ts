/** The log of the server as it stands, and as it grows. */
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, answer, api } from "@/lib/api/client";
import type { ServerLogEntry } from "@/lib/api/schema";
import { live } from "@/lib/live/connection";
import { useLive } from "@/lib/live/Live";
import type { Level } from "./address";
import { addNewer, addOlder } from "./entries";

const PAGE = 300;
/** However fast it grows, it is drawn at most this often. */
const GATHER_MS = 100;
const PAUSE_MS = 2000;

interface Filter {
  level: Level;
  text: string;
}

interface Held {
  /** What the entries were chosen by. */
  filter: string;
  entries: readonly ServerLogEntry[];
  /** Where to ask for older ones; null: there are none. */
  next: number | null;
}

export interface FollowedLog {
  /** null until the first answer; those of the filter before until the next one. */
  entries: readonly ServerLogEntry[] | null;
  /** What the entries were chosen by. */
  filter: string;
  error: ApiError | null;
  more: boolean;
  loadOlder(): Promise<void>;
  retry(): void;
}

export function useServerLog({ level, text }: Filter): FollowedLog {
  const { connection } = useLive();
  const [held, setHeld] = useState<Held | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [tries, setTries] = useState(0);
  const latest = useRef<Held | null>(null);
  latest.current = held;
  const loading = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again.
  useEffect(() => {
    const asked = new AbortController();
    read({ level, text }, null, asked.signal)
      .then((page) => {
        setHeld(page);
        setError(null);
      })
      .catch((problem) => asked.signal.aborted || setError(problem));
    return () => asked.abort();
  }, [level, text, tries]);

  // Only what was chosen by the same filter may follow the entries there are.
  const ready = held?.filter === nameOf({ level, text });
  const isLive = connection === "open" && error === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page asked for anew is followed anew.
  useEffect(() => {
    if (!ready || !isLive) return;
    const add = (entries: ServerLogEntry[]) =>
      setHeld((now) => now && { ...now, entries: addNewer(now.entries, entries) });
    return follow({ level, text }, latest.current?.entries.at(-1)?.id ?? 0, add, setError);
  }, [ready, isLive, level, text, tries]);

  const loadOlder = useCallback(async () => {
    const before = latest.current?.next;
    if (loading.current || before === null || before === undefined) return;
    if (latest.current?.filter !== nameOf({ level, text })) return;
    loading.current = true;
    try {
      const page = await read({ level, text }, before);
      setHeld((now) => now && { ...page, entries: addOlder(now.entries, page.entries) });
    } catch (problem) {
      setError(problem as ApiError);
    } finally {
      loading.current = false;
    }
  }, [level, text]);

  const retry = useCallback(() => {
    setError(null);
    setTries((count) => count + 1);
  }, []);
  const { entries = null, filter = "", next = null } = held ?? {};
  return { entries, filter, error, more: next !== null, loadOlder, retry };
}

function nameOf({ level, text }: Filter): string {
  return `${level} ${text}`;
}

async function read(filter: Filter, before: number | null, signal?: AbortSignal): Promise<Held> {
  const query = { ...filter, limit: PAGE, ...(before === null ? {} : { before }) };
  const page = await answer(api.GET("/api/v1/server/log", { params: { query }, signal }));
  return { filter: nameOf(filter), entries: page.entries, next: page.next ?? null };
}

/** Hears each new entry until it is told to stop. */
function follow(
  filter: Filter,
  after: number,
  onEntries: (entries: ServerLogEntry[]) => void,
  onRefused: (error: ApiError) => void,
): () => void {
  let leave = () => {};
  let retry: ReturnType<typeof setTimeout> | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let gathered: ServerLogEntry[] = [];
  let seen = after;

  function pass() {
    gathering = undefined;
    onEntries(gathered);
    gathered = [];
  }

  function open() {
    leave = live().follow({ kind: "server_log", ...filter, after: seen }, (news) => {
      if (news.event === "entries") {
        seen = news.entries.at(-1)?.id ?? seen;
        gathered.push(...news.entries);
        gathering ??= setTimeout(pass, GATHER_MS);
      } else if (news.event === "refused") onRefused(new ApiError(news.status, news.problem));
      // Perhaps it may be read no longer: who asks again is told so.
      else if (news.event === "closed") retry = setTimeout(open, PAUSE_MS);
    });
  }

  open();
  return () => {
    clearTimeout(retry);
    clearTimeout(gathering);
    leave();
  };
}
