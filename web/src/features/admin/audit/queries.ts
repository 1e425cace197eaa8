import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { type AuditSearch, filterOf } from "./address";

const PAGE = 100;

export const actionsQuery = queryOptions({
  queryKey: keys.auditActions,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/audit/actions", { signal })),
});

export function auditQuery(search: AuditSearch) {
  return infiniteQueryOptions({
    queryKey: keys.auditEntries(search),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filterOf(search), limit: PAGE, cursor: pageParam };
      return answer(api.GET("/api/v1/audit", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });
}
