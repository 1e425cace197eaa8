import { queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";

export const allNoticesQuery = queryOptions({
  queryKey: keys.allNotices,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/notices/all", { signal })),
});
