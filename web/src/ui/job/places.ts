/** Jobs may be on several nodes: where they are and how much they ask for, in few words. Pure. */
import type { JobRow } from "@/lib/api/schema";

/** So many are named in a line; the others are counted. */
const MOST = 3;

type Placed = Pick<JobRow, "node" | "on_nodes">;
type Asking = Pick<JobRow, "nodes" | "nodes_min" | "on_nodes">;

/** All nodes that a job runs or ran on, by rank. */
export function nodesOf({ node, on_nodes }: Placed): readonly string[] {
  if (on_nodes?.length) return on_nodes;
  return node ? [node] : [];
}

/** `n1, n2`, or `n1, n2, n3, +5` */
export function nameNodes(names: readonly string[], most = MOST): string {
  const more = names.length - most;
  return [...names.slice(0, most), ...(more > 0 ? [`+${more}`] : [])].join(", ");
}

export function isOfMany({ nodes, on_nodes }: Pick<JobRow, "nodes" | "on_nodes">): boolean {
  return nodes > 1 || (on_nodes?.length ?? 0) > 1;
}

/** On how many nodes: those it has, else those it asks for: `2`, or `1–4` where it takes what there is. */
export function countNodes({ nodes, nodes_min, on_nodes }: Asking): string {
  if (on_nodes?.length) return String(on_nodes.length);
  return nodes_min < nodes ? `${nodes_min}–${nodes}` : String(nodes);
}
