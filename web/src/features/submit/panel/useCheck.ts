import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useMe } from "@/app/session";
import { answer, api } from "@/lib/api/client";
import type { JobCheck, JobToCheck } from "@/lib/api/schema";
import { useLive } from "@/lib/live/Live";

const PAUSE_MS = 300;
/** However much happens in the cluster, what it means for the form is asked at most this often. */
const GATHER_MS = 1000;

export interface Checked {
  check: JobCheck | null;
  error: Error | null;
  /** It is about the form as it was a moment ago. */
  pending: boolean;
  /** When it was answered, in seconds since the epoch. */
  at: number;
  refresh(): void;
  /** There is no connection to ask over. */
  away: boolean;
}

/** What the server would say to this job, asked while it is typed and when the cluster changes. Only the latest counts. */
export function useCheck(asked: JobToCheck): Checked {
  const now = JSON.stringify(asked);
  const settled = useSettled(now);
  const client = useQueryClient();
  const { onEvent, connection } = useLive();
  const { data, error, isFetching, isPlaceholderData, failureCount, dataUpdatedAt } = useQuery({
    queryKey: ["check", settled],
    queryFn: ({ signal }) =>
      answer(api.POST("/api/v1/jobs/check", { body: JSON.parse(settled) as JobToCheck, signal })),
    placeholderData: keepPreviousData,
    // Variables may be secrets: nothing of an older form is remembered.
    gcTime: 0,
  });

  // A user who had to sign in again goes on where they were.
  const { csrf_token: session } = useMe();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session is a reason to ask again.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ["check"] });
  }, [client, session]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: ["check"] });
      }, GATHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [onEvent, client]);

  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: ["check"] }), [client]);
  return {
    check: data ?? null,
    error,
    pending: now !== settled || isPlaceholderData || (isFetching && (!data || failureCount > 0)),
    at: dataUpdatedAt / 1000,
    refresh,
    away: connection === "broken",
  };
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
