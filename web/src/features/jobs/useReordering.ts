import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/useAct";
import type { MoveName } from "./RowMenu";
import { placeOf } from "./reordering";
import type { JobPages } from "./useJobPages";
import { words } from "./words";

/** Moves a job in line: at once for whoever looks, and back if the server refuses. */
export function useReordering({ rows, counts, moveAhead }: JobPages) {
  const client = useQueryClient();
  const say = useWords(words);
  const { act } = useAct();
  const [told, setTold] = useState("");
  const total = Math.max(rows.length, counts?.waiting ?? 0);

  const move = useCallback(
    async ({ ref }: JobRow, to: number) => {
      moveAhead(ref, to);
      const body = { position: to + 1 };
      const worked = await act(() =>
        api.POST("/api/v1/jobs/{job_id}/move", { params: { path: { job_id: ref } }, body }),
      );
      setTold(worked ? say("moved", { ref, place: to + 1 }) : say("notMoved", { ref }));
      if (!worked) await client.invalidateQueries({ queryKey: keys.jobs });
    },
    [act, client, moveAhead, say],
  );
  const moveBy = useCallback(
    (job: JobRow, where: MoveName) => {
      const index = rows.findIndex(({ ref }) => ref === job.ref);
      const to = placeOf(where, index, total);
      if (index >= 0 && to !== index) void move(job, to);
    },
    [move, rows, total],
  );
  return { move, moveBy, told };
}
