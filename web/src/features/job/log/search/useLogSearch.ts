import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { LogMatch } from "@/lib/api/schema";
import type { LogStore } from "../follow/store";
import { type Ask, type Count, count, find } from "./search";

const TYPING_MS = 300;

export interface Place {
  /** The first and the last byte on screen. */
  top: number;
  bottom: number;
}

/** What the last look for something came to, if it is worth saying. */
export type SearchNote = "none" | "around" | "noErrors" | "errorsAround" | "failed";

export interface LogSearch {
  text: string;
  setText(text: string): void;
  /** Where we are now: a match or an error. */
  current: LogMatch | null;
  counted: Count | null;
  isBusy: boolean;
  note: SearchNote | null;
  step(backward: boolean): void;
  stepError(backward: boolean): void;
}

const NOTHING_COUNTED: Count = { offsets: [], isWhole: false };

export function useLogSearch(store: LogStore, ask: Ask, place: () => Place): LogSearch {
  const [text, setText] = useState("");
  const [current, setCurrent] = useState<LogMatch | null>(null);
  const [counted, setCounted] = useState<Count | null>(null);
  const [note, setNote] = useState<SearchNote | null>(null);
  const [isBusy, setBusy] = useState(false);
  const looking = useRef<AbortController | null>(null);

  const look = useCallback(
    async (wanted: string | null, from: number, backward: boolean) => {
      looking.current?.abort();
      const mine = new AbortController();
      looking.current = mine;
      setBusy(true);
      setNote(null);
      try {
        const found = await find(ask, wanted, from, backward, mine.signal);
        if (mine.signal.aborted) return;
        setCurrent(found?.match ?? null);
        if (found) await store.goTo(found.match.offset);
        if (!found) setNote(wanted === null ? "noErrors" : "none");
        else if (found.isAround) setNote(wanted === null ? "errorsAround" : "around");
      } catch {
        if (!mine.signal.aborted) setNote("failed");
      } finally {
        if (looking.current === mine) setBusy(false);
      }
    },
    [ask, store],
  );

  // What is typed is looked for by itself: at the end of the log the latest, elsewhere the next.
  useEffect(() => {
    setCounted(null);
    setNote(null);
    setCurrent(null);
    if (!text) return;
    const counting = new AbortController();
    const timer = setTimeout(() => {
      setCounted(NOTHING_COUNTED);
      count(ask, text, counting.signal, setCounted).catch(() => {});
      const { top, bottom } = place();
      const { pinned } = store.state;
      void look(text, pinned ? bottom : top, pinned);
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      counting.abort();
      looking.current?.abort();
    };
  }, [text, ask, look, place, store]);

  const from = useCallback(
    (backward: boolean) => {
      const { top, bottom } = place();
      const isSeen = current && current.offset >= top && current.offset <= bottom;
      if (isSeen) return backward ? current.offset : current.offset + current.length;
      return backward ? bottom : top;
    },
    [current, place],
  );

  return useMemo(
    () => ({
      text,
      setText,
      current,
      counted,
      isBusy,
      note,
      step: (backward) => void (text && look(text, from(backward), backward)),
      stepError: (backward) => void look(null, from(backward), backward),
    }),
    [text, current, counted, isBusy, note, look, from],
  );
}
