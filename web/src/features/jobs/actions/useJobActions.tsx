/** Carries out what is asked for one job or many, and says what became of it. */
import { useQueryClient } from "@tanstack/react-query";
import { App } from "antd";
import { useCallback, useState } from "react";
import { answer, api } from "@/lib/api/client";
import { LONG_MS, within } from "@/lib/api/deadline";
import { keys } from "@/lib/api/queries";
import type { JobActionResult, JobActions, JobRow, JobsMatching } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import type { AreaName, JobsSearch } from "../address";
import { type ActionName, countYours } from "../selection/selection";
import { words } from "../words";
import { inParts, type Outcome, outcomeOf } from "./outcome";
import { Refusals } from "./Refusals";
import type { BulkProgress } from "./useBulkAction";

/** The server takes so many at once. */
const MOST_AT_ONCE = 1000;

export type ActionOptions = Pick<JobActions, "with_successors" | "running" | "now">;

/** All that match a list's filter, as they were counted. */
export interface Whole {
  search: JobsSearch & { area: AreaName };
  matching: JobsMatching;
}

export interface Wish {
  action: ActionName;
  jobs: readonly JobRow[];
  /** It is for all of these, not for `jobs` alone. */
  whole?: Whole;
}

/** How many jobs it would do something to. */
export function countOf({ action, jobs, whole }: Wish): number {
  return whole ? countYours(whole.matching, action) : jobs.length;
}

export interface ActOnJobs {
  busy: boolean;
  /** What waits for a confirmation. */
  wish: Wish | null;
  /** Do it, or first ask whether it is meant. */
  ask: (action: ActionName, jobs: readonly JobRow[], whole?: Whole) => void;
  confirm: (options?: ActionOptions) => Promise<void>;
  dismiss: () => void;
}

function needsConfirmation({ action, jobs, whole }: Wish): boolean {
  return (
    whole !== undefined ||
    action === "cancel" ||
    action === "delete" ||
    (action === "resubmit" && jobs.length > 1)
  );
}

export function useJobActions(onDone: () => void, bulk: BulkProgress): ActOnJobs {
  const client = useQueryClient();
  const { message, notification } = App.useApp();
  const { busy, act } = useAct();
  const say = useWords(words);
  const [wish, setWish] = useState<Wish | null>(null);

  const tell = useCallback(
    ({ action, jobs }: Wish, outcome: Outcome) => {
      const [copy] = outcome.copies;
      const done = say(`${action}Done`, { count: outcome.done });
      if (outcome.refusals.length > 0) {
        const refused = say("refused", { count: outcome.refusals.length });
        notification.warning({
          title: outcome.done > 0 ? `${done}${say("listComma")}${refused}` : refused,
          description: <Refusals refusals={outcome.refusals} />,
          role: "alert",
          duration: 0,
        });
      } else if (copy !== undefined && jobs.length === 1) {
        void message.success(say("copyMade", { ref: jobs[0]?.ref ?? "", copy }));
      } else void message.success(done);
    },
    [message, notification, say],
  );

  const carryOut = useCallback(
    async (wanted: Wish, options: ActionOptions) => {
      const { whole } = wanted;
      if (whole) {
        if (await act(() => bulk.begin(wanted.action, whole, options))) onDone();
        return;
      }
      const worked = await act(async () => {
        const results: JobActionResult[] = [];
        for (const part of inParts(wanted.jobs, MOST_AT_ONCE)) {
          const body = { action: wanted.action, jobs: part.map(({ ref }) => ref), ...options };
          results.push(
            ...(await answer(api.POST("/api/v1/jobs/actions", { body, fetch: within(LONG_MS) }))).results,
          );
        }
        tell(wanted, outcomeOf(results, wanted.jobs));
      });
      void client.invalidateQueries({ queryKey: keys.jobs });
      if (worked) onDone();
    },
    [act, bulk.begin, client, onDone, tell],
  );

  const ask = useCallback(
    (action: ActionName, jobs: readonly JobRow[], whole?: Whole) => {
      const wanted = { action, jobs, whole };
      if (needsConfirmation(wanted)) setWish(wanted);
      else void carryOut(wanted, NO_OPTIONS);
    },
    [carryOut],
  );
  const confirm = useCallback(
    async (options: ActionOptions = NO_OPTIONS) => {
      if (!wish) return;
      await carryOut(wish, options);
      setWish(null);
    },
    [carryOut, wish],
  );
  const dismiss = useCallback(() => setWish(null), []);
  return { busy, wish, ask, confirm, dismiss };
}

const NO_OPTIONS: ActionOptions = { with_successors: false, running: "refuse", now: false };
