/** Which of many nodes the user wants to see. Pure. */
import type { NodeRole, NodeRow } from "@/lib/api/schema";

export const CONDITIONS = [
  "free",
  "attention",
  "up",
  "drained",
  "quarantined",
  "out_of_service",
  "lost",
] as const;
export type NodeCondition = (typeof CONDITIONS)[number];

export interface NodeFilter {
  text?: string;
  condition?: NodeCondition;
  role?: NodeRole;
  model?: string;
}

/** So few can be looked over without help. */
export const FEW_NODES = 8;

const IS: Record<NodeCondition, (node: NodeRow) => boolean> = {
  free: ({ gpus }) => gpus.some(({ state }) => state === "free"),
  attention: (node) =>
    node.state === "lost" ||
    Boolean(node.quarantine || node.out_of_service) ||
    node.gpus.some(({ state }) => state === "faulty") ||
    (node.findings ?? []).some(({ level }) => level === "problem"),
  up: (node) => node.state === "up" && !node.quarantine && !node.out_of_service && !node.drained,
  drained: (node) => node.state === "up" && !node.quarantine && !node.out_of_service && node.drained,
  quarantined: (node) => node.state === "up" && Boolean(node.quarantine),
  out_of_service: (node) => node.state === "up" && !node.quarantine && Boolean(node.out_of_service),
  lost: (node) => node.state === "lost",
};

export function filterNodes(nodes: readonly NodeRow[], filter: NodeFilter): NodeRow[] {
  const { condition, role, model } = filter;
  const said = filter.text?.trim().toLowerCase();
  return nodes.filter(
    (node) =>
      (!condition || IS[condition](node)) &&
      (!role || node.role === role) &&
      (!model || node.gpus.some(({ name }) => name === model)) &&
      (!said || [node.name, node.address].some((each) => each.toLowerCase().includes(said))),
  );
}

export function countNodesBy(nodes: readonly NodeRow[]): Record<NodeCondition, number> {
  const counts = CONDITIONS.map((each) => [each, nodes.filter(IS[each]).length]);
  return Object.fromEntries(counts) as Record<NodeCondition, number>;
}

export function rolesOf(nodes: readonly NodeRow[]): NodeRole[] {
  return [...new Set(nodes.map(({ role }) => role))].sort();
}

export function modelsOf(nodes: readonly NodeRow[]): string[] {
  return [...new Set(nodes.flatMap(({ gpus }) => gpus.map(({ name }) => name)))].sort();
}

export function isFiltering({ text, condition, role, model }: NodeFilter): boolean {
  return [text?.trim(), condition, role, model].some(Boolean);
}
