/** A wish for all that match, which the server carries out: begins it, and looks on until it is over. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { ApiError, answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { BulkRow } from "@/lib/api/schema";
import type { ActionName } from "../selection/selection";
import type { ActionOptions, Whole } from "./useJobActions";

const LOOK_MS = 500;

export interface BulkProgress {
  row: BulkRow | null;
  /** It is not known any more: the server was started anew meanwhile. */
  lost: ApiError | null;
  begin: (action: ActionName, whole: Whole, options: ActionOptions) => Promise<void>;
  stop: () => Promise<void>;
  undo: () => Promise<void>;
  dismiss: () => void;
}

export function useBulkAction(): BulkProgress {
  const client = useQueryClient();
  const [row, setRow] = useState<BulkRow | null>(null);
  const [lost, setLost] = useState<ApiError | null>(null);
  const [missed, setMissed] = useState(0);

  useEffect(() => {
    // One that was begun in another window, or before this page was opened, goes on and is shown.
    let isHere = true;
    answer(api.GET("/api/v1/bulk-actions"))
      .then(([latest]) => isHere && latest?.state === "running" && setRow((known) => known ?? latest))
      .catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a look that failed is taken again.
  useEffect(() => {
    if (row?.state !== "running") return;
    const params = { path: { number: row.id } };
    const timer = setTimeout(async () => {
      try {
        const now = await answer(api.GET("/api/v1/bulk-actions/{number}", { params }));
        setRow(now);
        if (now.state !== "running") await client.invalidateQueries({ queryKey: keys.jobs });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) {
          setLost(error);
          setRow(null);
        } else setMissed((count) => count + 1);
      }
    }, LOOK_MS);
    return () => clearTimeout(timer);
  }, [row, missed, client]);

  const show = useCallback((made: BulkRow) => {
    setLost(null);
    setRow(made);
  }, []);
  const begin = useCallback(
    async (action: ActionName, { search, matching }: Whole, options: ActionOptions) => {
      const { sort, ...filter } = search;
      const body = { action, filter: { mine: false, ...filter }, ...options, up_to: matching.up_to };
      show(await answer(api.POST("/api/v1/bulk-actions", { body })));
    },
    [show],
  );
  const number = row?.id;
  const stop = useCallback(async () => {
    if (number === undefined) return;
    show(await answer(api.POST("/api/v1/bulk-actions/{number}/stop", { params: { path: { number } } })));
  }, [number, show]);
  const undo = useCallback(async () => {
    if (number === undefined) return;
    show(await answer(api.POST("/api/v1/bulk-actions/{number}/undo", { params: { path: { number } } })));
  }, [number, show]);
  const dismiss = useCallback(() => {
    setRow(null);
    setLost(null);
  }, []);
  return { row, lost, begin, stop, undo, dismiss };
}
