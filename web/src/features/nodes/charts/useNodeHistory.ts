import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { NodeHistory } from "@/lib/api/schema";
import { useLive } from "@/lib/live/Live";
import { extendHistory } from "./history";

function historyQuery(name: string) {
  return queryOptions({
    queryKey: keys.nodeHistory(name),
    queryFn: ({ signal }) =>
      answer(api.GET("/api/v1/nodes/{name}/history", { params: { path: { name } }, signal })),
    // Only while the page is open is it made longer; what was left behind has a gap.
    refetchOnMount: "always",
    gcTime: 0,
  });
}

/** The last hour of a node: asked for once, then made longer by every reading. */
export function useNodeHistory(name: string) {
  const client = useQueryClient();
  const { onReadings } = useLive();
  useEffect(
    () =>
      onReadings((readings) =>
        client.setQueryData<NodeHistory>(
          keys.nodeHistory(name),
          (known) => known && extendHistory(known, readings),
        ),
      ),
    [client, name, onReadings],
  );
  return useQuery(historyQuery(name));
}
