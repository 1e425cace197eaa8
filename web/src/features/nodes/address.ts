/** What of the list of nodes stands in the address. */
import type { NodeRole } from "@/lib/api/schema";
import { CONDITIONS, type NodeFilter } from "@/ui/node/nodeFilter";

const ROLES: readonly NodeRole[] = ["compute", "debug", "login", "transfer"];

function readText(value: unknown): string | undefined {
  // A search for "7" comes back from the address as a number.
  const said = typeof value === "number" ? String(value) : value;
  return typeof said === "string" && said.trim() ? said : undefined;
}

export function readNodesSearch(raw: Record<string, unknown>): NodeFilter {
  const read: NodeFilter = {
    text: readText(raw.text),
    condition: CONDITIONS.find((each) => each === raw.condition),
    role: ROLES.find((each) => each === raw.role),
    model: readText(raw.model),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
