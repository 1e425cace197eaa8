import { useCallback, useMemo, useRef, useState } from "react";
import { useMe } from "@/app/session";
import type { JobRow, JobsMatching } from "@/lib/api/schema";
import { type Chosen, chooseAll, extendTo, mayTouch, NONE_CHOSEN, renew, toggle } from "./selection";

export interface Selection {
  chosen: Chosen;
  /** As they are now. */
  jobs: readonly JobRow[];
  gone: number;
  choose: (job: JobRow, extend: boolean) => void;
  chooseAll: () => void;
  /** All that match the filter, also those that are not loaded, are chosen. */
  whole: JobsMatching | null;
  chooseWhole: (matching: JobsMatching) => void;
  clear: () => void;
}

export function useSelection(rows: readonly JobRow[]): Selection {
  const me = useMe();
  const [chosen, setChosen] = useState<Chosen>(NONE_CHOSEN);
  const [whole, chooseWhole] = useState<JobsMatching | null>(null);
  const last = useRef<string | null>(null);
  const latest = useRef(rows);
  latest.current = rows;
  const choose = useCallback(
    (job: JobRow, extend: boolean) => {
      if (!mayTouch(me, job)) return;
      // Who takes one out of all goes on with those that are loaded.
      chooseWhole(null);
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
    setChosen(NONE_CHOSEN);
    chooseWhole(null);
  }, []);
  const { jobs, gone } = useMemo(() => renew(chosen, rows), [chosen, rows]);
  return { chosen, jobs, gone, choose, chooseAll: all, whole, chooseWhole, clear };
}
