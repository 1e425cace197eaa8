import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "@/lib/api/queries";
import { useLive } from "@/lib/live/Live";

const GATHER_MS = 500;

/** Why a job waits, and its place in the queue, change with what happens to others. */
export function useFreshWhileWaiting(ref: string, isWaiting: boolean): void {
  const client = useQueryClient();
  const { onEvent } = useLive();
  useEffect(() => {
    if (!isWaiting) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = onEvent(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: keys.job(ref), exact: true });
      }, GATHER_MS);
    });
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [client, isWaiting, onEvent, ref]);
}
