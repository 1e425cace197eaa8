import { useMemo } from "react";
import type { NodeRow } from "@/lib/api/schema";

/** n2 comes before n10. */
export function inOrder<N extends Pick<NodeRow, "name">>(nodes: readonly N[]): N[] {
  return [...nodes].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

export function useInOrder(nodes: NodeRow[] | undefined): NodeRow[] | undefined {
  return useMemo(() => nodes && inOrder(nodes), [nodes]);
}
