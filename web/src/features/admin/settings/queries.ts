import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";

export const settingRowsQuery = queryOptions({
  queryKey: keys.settingRows,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/settings/described", { signal })),
});

export const settingsHistoryQuery = infiniteQueryOptions({
  queryKey: keys.settingsHistory,
  queryFn: ({ pageParam, signal }) =>
    answer(
      api.GET("/api/v1/settings/history", { params: { query: { limit: 20, cursor: pageParam } }, signal }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.next,
});
