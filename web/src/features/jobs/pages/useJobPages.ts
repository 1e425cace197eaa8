/** The rows of one list, live: as many as have been looked at. */
import { notifyManager, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { answer, api } from "@/lib/api/client";
import type { JobListQuery } from "@/lib/api/queries";
import type { JobRow } from "@/lib/api/schema";
import {
  hasMore,
  isWanting,
  type Loaded,
  PAGE_ROWS,
  refreshPages,
  rowsOf,
  type Wanted,
  withMoved,
} from "./pages";

/** How many rows more the End key brings. */
const LEAP_ROWS = 2000;
const LEAP_TRIES = 5;

export interface JobPages {
  rows: readonly JobRow[];
  /** Undefined until something was answered. */
  counts: Readonly<Record<string, number>> | undefined;
  exact: boolean;
  isPending: boolean;
  /** Rows of an earlier wish, shown until those of this one are there. */
  isOld: boolean;
  hasMore: boolean;
  error: Error | null;
  retry: () => void;
  /** The user looks at these rows now. */
  look: (first: number, last: number) => void;
  /** Load many more rows at once; how many there are then. */
  leap: () => Promise<number>;
  /** Keep a row where the server has moved it, until it tells the list anew. Done when `rows` have it so. */
  moveAhead: (ref: string, to: number) => Promise<void>;
}

export function useJobPages(query: JobListQuery): JobPages {
  const client = useQueryClient();
  const wanted = useRef<Wanted>({ first: 0, last: 0, reach: 0 });
  const key = useMemo(() => ["jobs", "pages", query] as const, [query]);
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: key,
    async queryFn({ signal }) {
      const state = client.getQueryState<Loaded>(key);
      return refreshPages(state?.data, wanted.current, state?.isInvalidated ?? false, (cursor) =>
        answer(
          api.GET("/api/v1/jobs", {
            params: { query: { ...query, limit: PAGE_ROWS, ...(cursor !== null && { cursor }) } },
            signal,
          }),
        ),
      );
    },
    // Unchanged rows are kept by `refreshPages`; to compare all that was ever loaded would take longer each time.
    structuralSharing: false,
    placeholderData: (before, asked) => (areaOf(asked?.queryKey) === query.area ? before : undefined),
  });

  const fetchWanting = useCallback(() => {
    const state = client.getQueryState<Loaded>(key);
    if (state?.data && state.fetchStatus === "idle" && isWanting(state.data, wanted.current)) {
      void refetch({ cancelRefetch: false });
    }
  }, [client, key, refetch]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the user may have scrolled on while it was fetched.
  useEffect(() => {
    if (!isFetching && !error) fetchWanting();
  }, [isFetching, error, data, fetchWanting]);

  const look = useCallback(
    (first: number, last: number) => {
      wanted.current = { ...wanted.current, first, last };
      fetchWanting();
    },
    [fetchWanting],
  );
  const leap = useCallback(async () => {
    const reach = rowsOf(client.getQueryData<Loaded>(key)).length + LEAP_ROWS;
    wanted.current = { ...wanted.current, reach };
    // News that come meanwhile begin the fetching anew.
    for (let tries = 0; tries < LEAP_TRIES; tries += 1) {
      const loaded = client.getQueryData<Loaded>(key);
      if (!loaded || !hasMore(loaded.pages) || rowsOf(loaded).length >= reach) break;
      await refetch();
    }
    wanted.current = { ...wanted.current, reach: 0 };
    return rowsOf(client.getQueryData<Loaded>(key)).length;
  }, [client, key, refetch]);
  const moveAhead = useCallback(
    (ref: string, to: number) => {
      // An answer that is under way knows nothing of the move yet.
      void client.cancelQueries({ queryKey: key });
      client.setQueryData<Loaded>(key, (loaded) => (loaded ? withMoved(loaded, ref, to) : loaded));
      return new Promise<void>((resolve) => notifyManager.schedule(resolve));
    },
    [client, key],
  );
  const rows = useMemo(() => rowsOf(data), [data]);
  return {
    rows,
    counts: data?.counts,
    exact: data?.exact ?? true,
    isPending,
    isOld: isPlaceholderData,
    hasMore: data !== undefined && hasMore(data.pages),
    error,
    retry: () => void refetch(),
    look,
    leap,
    moveAhead,
  };
}

function areaOf(key: readonly unknown[] | undefined): string | null | undefined {
  return (key?.[2] as JobListQuery | undefined)?.area;
}
