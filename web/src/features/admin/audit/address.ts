/** What of the audit log stands in the address, and what is asked for it. */
export const SPANS = ["day", "week", "month"] as const;
export type AuditSpan = (typeof SPANS)[number];

const DAYS: Record<AuditSpan, number> = { day: 1, week: 7, month: 30 };
const DAY_S = 86_400;
const HOUR_S = 3_600;

export interface AuditSearch {
  actor?: string;
  action?: string;
  target?: string;
  span?: AuditSpan;
}

export interface AuditFilter {
  actor?: string;
  action?: string;
  target?: string;
  since?: number;
}

export function readAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const text = (name: "actor" | "action" | "target") =>
    (typeof raw[name] === "string" || typeof raw[name] === "number") && raw[name] !== ""
      ? { [name]: String(raw[name]) }
      : {};
  return {
    ...text("actor"),
    ...text("action"),
    ...text("target"),
    ...(SPANS.includes(raw.span as AuditSpan) ? { span: raw.span as AuditSpan } : {}),
  };
}

/** A span begins at a full hour, so that asking again asks the same. */
export function filterOf({ span, ...rest }: AuditSearch, now = Date.now() / 1000): AuditFilter {
  if (!span) return rest;
  return { ...rest, since: Math.floor(now / HOUR_S) * HOUR_S - DAYS[span] * DAY_S };
}
