import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef } from "react";
import type { LogName } from "../follow/source";
import type { LogStore } from "../follow/store";
import type { Row } from "../text/lines";
import { type Mark, markAfter } from "./mark";

export interface LogMark {
  readonly mark: Mark | null;
  /** A line was clicked; `isRange`: all from the one clicked before up to it. Done once the address says so. */
  pick(row: Row, isRange: boolean): Promise<void>;
  clear(): void;
}

/** The lines that the page's address points to. Who opens it is taken there; who clicks a line changes it. */
export function useLogMark(store: LogStore, { attempt, rank }: LogName): LogMark {
  const { at, to, attempt: chosen } = useSearch({ from: "/jobs/$ref" });
  const navigate = useNavigate({ from: "/jobs/$ref" });
  const mark = useMemo(() => (at === undefined ? null : { at, to: to ?? at }), [at, to]);
  const anchor = useRef<number | null>(null);
  const reached = useRef<Mark | null>(null);
  /** What the address said of the attempt before a line was marked; a link always names one. */
  const chosenBefore = useRef(chosen);

  useEffect(() => {
    if (!mark || (mark.at === reached.current?.at && mark.to === reached.current.to)) return;
    reached.current = mark;
    anchor.current = mark.at;
    void store.goTo(mark.at);
  }, [mark, store]);

  const put = useCallback(
    (next: Mark | null) => {
      reached.current = next;
      return navigate({
        search: (now) => ({
          ...now,
          attempt: next ? attempt : chosenBefore.current,
          rank: rank || undefined,
          at: next?.at,
          to: next && next.to > next.at ? next.to : undefined,
        }),
        replace: true,
        resetScroll: false,
      });
    },
    [navigate, attempt, rank],
  );

  const pick = useCallback(
    (row: Row, isRange: boolean) => {
      store.pause();
      if (!mark) chosenBefore.current = chosen;
      const next = markAfter(mark, anchor.current, row, isRange);
      if (!isRange || anchor.current === null) anchor.current = next && row.offset;
      return put(next);
    },
    [store, mark, chosen, put],
  );

  return useMemo(() => ({ mark, pick, clear: () => void put(null) }), [mark, pick, put]);
}
