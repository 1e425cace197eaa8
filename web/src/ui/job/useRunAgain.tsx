import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "../action/useAct";
import { words } from "../words";
import { type WayToRunAgain, waysToRunAgain } from "./runAgain";
import "./runAgain.css";

interface RunAgain {
  busy: boolean;
  /** For a menu: each way, and what it means for number and log. */
  items: { key: WayToRunAgain; label: React.ReactNode }[];
  /** What the safest way means, in one line. */
  hint: string;
  run: (way: WayToRunAgain) => void;
}

/** What runs a job again. `onCopy`, where given, makes the new job itself instead of going to it. */
export function useRunAgain(job: JobRow, onCopy?: () => void): RunAgain {
  const say = useWords(words);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { busy, act } = useAct();
  const { ref, attempt } = job;

  function tell(way: WayToRunAgain): string {
    const isSame = way === "asSame" || way === "asSameChanged";
    return say(isSame && attempt === 0 ? `${way}NoteUnrun` : `${way}Note`, { ref, attempt });
  }

  function run(way: WayToRunAgain): void {
    switch (way) {
      case "asNew":
        if (onCopy) onCopy();
        else void act(copy);
        return;
      case "asNewChanged":
        void navigate({ to: "/jobs/new", search: { like: ref } });
        return;
      case "asSame":
        void act(repeat, say("asSameDone", { ref }));
        return;
      case "asSameChanged":
        void navigate({ to: "/jobs/$ref/edit", params: { ref } });
    }
  }

  async function copy() {
    const { id } = await answer(
      api.POST("/api/v1/jobs/{job_id}/resubmit", { params: { path: { job_id: ref } } }),
    );
    await navigate({ to: "/jobs/$ref", params: { ref: String(id) } });
  }

  // An edit that changes nothing sends a job that has ended back to the queue, as its next attempt.
  async function repeat() {
    const asked = api.PATCH("/api/v1/jobs/{job_id}", {
      params: { path: { job_id: ref } },
      body: { set: {}, clear: [] },
    });
    client.setQueryData(keys.job(ref), await answer(asked));
    void client.invalidateQueries({ queryKey: keys.jobs });
  }

  const items = waysToRunAgain(job).map((way) => ({
    key: way,
    label: (
      <span className="way-to-run">
        {say(way, { ref })}
        <small>{tell(way)}</small>
      </span>
    ),
  }));
  return { busy, items, hint: tell("asNew"), run };
}
