import { queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";

export const usersQuery = queryOptions({
  queryKey: keys.users,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/users", { signal })),
  // When somebody was last seen is not told by any event.
  staleTime: 0,
});
