import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { msUntilChange } from "./noticeTimes";

/** Notices begin and end also by themselves, of which no event tells: they are asked for again at that time. */
export function useChangeOfNotices(
  queryKey: QueryKey,
  changesInS: number | null | undefined,
  askedAt: number,
): void {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer counts from when it came.
  useEffect(() => {
    const wait = msUntilChange(changesInS);
    if (wait === null) return;
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey }), wait);
    return () => clearTimeout(timer);
  }, [client, changesInS, askedAt]);
}
