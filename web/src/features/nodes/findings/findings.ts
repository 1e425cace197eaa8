/** The doctor's findings as people want to read them. Pure. */
import type { FindingRow, NodeRow } from "@/lib/api/schema";

const ORDER = { problem: 0, warning: 1, ok: 2 } as const;

/** The worst first; otherwise as they came. */
export function inOrder(findings: readonly FindingRow[]): FindingRow[] {
  return [...findings].sort((one, other) => ORDER[one.level] - ORDER[other.level]);
}

export function problemsOf(node: Pick<NodeRow, "findings" | "quarantine">): number {
  const found = (node.findings ?? []).filter(({ level }) => level === "problem").length;
  return found + (node.quarantine ? 1 : 0);
}

/** Takes no new jobs until an administrator undrains it, which also lifts a quarantine. */
export function isOutOfUse({ drained, quarantine }: Pick<NodeRow, "drained" | "quarantine">): boolean {
  return drained || Boolean(quarantine);
}
