import { queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";

export const settingRowsQuery = queryOptions({
  queryKey: keys.settingRows,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/settings/described", { signal })),
});
