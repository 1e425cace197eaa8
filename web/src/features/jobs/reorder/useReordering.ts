import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import type { JobPages } from "../pages/useJobPages";
import { words } from "../words";
import { addMove, boundsOf, type Move, type MoveName, placeOf, withMoves } from "./reordering";

/**
 * Moves jobs in the queue: on the page at once, and back if the server refuses.
 *
 * The server is told one move at a time, in order. What is pressed meanwhile is shown and added up; nothing of it
 * is lost, however slow the answers are, and whatever news of the list comes in between.
 */
export function useReordering({ rows, counts, moveAhead }: JobPages) {
  const client = useQueryClient();
  const say = useWords(words);
  const { act } = useAct();
  const [told, setTold] = useState("");
  const [moves, setMoves] = useState<readonly Move[]>([]);
  // Keys may come faster than the page is drawn: what counts is what was pressed, not what is shown.
  const latest = useRef({ rows, moves });
  latest.current.rows = rows;
  const shown = useMemo(() => withMoves(rows, moves), [rows, moves]);
  const total = Math.max(rows.length, counts?.waiting ?? 0);

  const note = useCallback((changed: readonly Move[]) => {
    latest.current.moves = changed;
    setMoves(changed);
  }, []);

  const send = useCallback(async () => {
    for (let move = latest.current.moves[0]; move; move = latest.current.moves[0]) {
      const { ref, to } = move;
      const request = { params: { path: { job_id: ref } }, body: { position: to + 1 } };
      const worked = await act(() => answer(api.POST("/api/v1/jobs/{job_id}/move", request)));
      if (!worked) {
        // What was to follow was meant for where this one would have been.
        note([]);
        setTold(say("notMoved", { ref }));
        await client.invalidateQueries({ queryKey: keys.jobs });
        return;
      }
      await moveAhead(ref, to);
      const now = withMoves(latest.current.rows, latest.current.moves);
      const next = now[now.findIndex((row) => row.ref === ref) + 1];
      setTold(next ? say("movedBefore", { ref, next: next.ref }) : say("movedLast", { ref }));
      note(latest.current.moves.slice(1));
    }
  }, [act, client, moveAhead, note, say]);

  const move = useCallback(
    ({ ref }: JobRow, to: number) => {
      const isIdle = latest.current.moves.length === 0;
      note(addMove(latest.current.moves, { ref, to }));
      if (isIdle) void send();
    },
    [note, send],
  );
  /** Where it stands then. */
  const moveBy = useCallback(
    (job: JobRow, where: MoveName): number => {
      const now = withMoves(latest.current.rows, latest.current.moves);
      const index = now.findIndex(({ ref }) => ref === job.ref);
      const to = placeOf(where, index, boundsOf(now, job, total));
      if (index >= 0 && to !== index) move(job, to);
      return to;
    },
    [move, total],
  );
  return { rows: shown, move, moveBy, told };
}
