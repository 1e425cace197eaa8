import type { PostedNotice } from "@/lib/api/schema";

export type NoticeState = "shown" | "planned" | "over";

export function stateOf(
  { begins_at, ends_at }: Pick<PostedNotice, "begins_at" | "ends_at">,
  now: number,
): NoticeState {
  if (ends_at !== null && ends_at <= now) return "over";
  return begins_at > now ? "planned" : "shown";
}

/** Seconds since 1970 as a field for date and time has them, in the zone of this browser. */
export function toField(at: number | null): string {
  if (at === null) return "";
  const date = new Date(at * 1000);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Null where nothing was chosen. */
export function fromField(text: string): number | null {
  const at = text ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(at) ? null : at / 1000;
}
