import { queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";

export const backupsQuery = queryOptions({
  queryKey: keys.backups,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/backups", { signal })),
});
