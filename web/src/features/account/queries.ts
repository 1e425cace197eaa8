import { queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";

export const tokensQuery = queryOptions({
  queryKey: keys.tokens,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/me/tokens", { signal })),
  // When a token was last used is not told by any event.
  staleTime: 0,
});

export const environmentsQuery = queryOptions({
  queryKey: ["environments"],
  queryFn: ({ signal }) => answer(api.GET("/api/v1/environments", { signal })),
});
