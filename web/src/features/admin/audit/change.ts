/** What an entry says of values: those that differ side by side, and whatever else there is. */
import type { AuditRow } from "@/lib/api/schema";

export interface ValueChange {
  name: string;
  before: string;
  after: string;
}

type Values = Record<string, unknown>;

export function changesOf({ before, after }: Pick<AuditRow, "before" | "after">): ValueChange[] {
  if (before === null && after === null) return [];
  if (!isValues(before) && !isValues(after))
    return [{ name: "", before: showValue(before), after: showValue(after) }];
  const was: Values = isValues(before) ? before : {};
  const is: Values = isValues(after) ? after : {};
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map((name) => ({
    name,
    before: showValue(was[name]),
    after: showValue(is[name]),
  }));
}

export function detailsOf({ details }: Pick<AuditRow, "details">): [string, string][] {
  return Object.entries(details)
    .filter(([, value]) => value !== null && value !== "" && value !== 0)
    .map(([name, value]) => [name, showValue(value)]);
}

function showValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.map(showValue).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
