import type { NoticeRow } from "@/lib/api/schema";
import type { Tone } from "../look/tones";

type Level = NoticeRow["level"];

export const LEVELS: readonly Level[] = ["info", "warning", "urgent"];
export const ALERT_OF = { info: "info", warning: "warning", urgent: "error" } as const satisfies Record<
  Level,
  string
>;
export const TONE_OF: Record<Level, Tone> = { info: "busy", warning: "foreign", urgent: "sick" };
