import { useCallback, useMemo, useRef, useState } from "react";
import { useMe } from "@/app/session";
import type { JobRow } from "@/lib/api/schema";
import { type Chosen, chooseAll, extendTo, mayTouch, NOBODY, renew, toggle } from "./selection";

export interface Selection {
  chosen: Chosen;
  /** As they are now. */
  jobs: readonly JobRow[];
  gone: number;
  choose: (job: JobRow, extend: boolean) => void;
  chooseAll: () => void;
  clear: () => void;
}

export function useSelection(rows: readonly JobRow[]): Selection {
  const me = useMe();
  const [chosen, setChosen] = useState<Chosen>(NOBODY);
  const last = useRef<string | null>(null);
  const latest = useRef(rows);
  latest.current = rows;
  const choose = useCallback(
    (job: JobRow, extend: boolean) => {
      if (!mayTouch(me, job)) return;
      setChosen((before) =>
        extend ? extendTo(before, latest.current, last.current ?? job.ref, job.ref, me) : toggle(before, job),
      );
      last.current = job.ref;
    },
    [me],
  );
  const all = useCallback(() => setChosen((before) => chooseAll(before, latest.current, me)), [me]);
  const clear = useCallback(() => {
    last.current = null;
    setChosen(NOBODY);
  }, []);
  const { jobs, gone } = useMemo(() => renew(chosen, rows), [chosen, rows]);
  return { chosen, jobs, gone, choose, chooseAll: all, clear };
}
