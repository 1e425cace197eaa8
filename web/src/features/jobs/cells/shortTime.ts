import type { Language } from "@/lib/i18n/words";

export function shortTime(at: number, now: number, language: Language): string {
  const then = new Date(at * 1000);
  const isToday = then.toDateString() === new Date(now * 1000).toDateString();
  return then.toLocaleString(language === "zh" ? "zh-CN" : "en-GB", {
    hour12: false,
    hour: "2-digit",
    minute: "2-digit",
    ...(!isToday && { month: "short", day: "numeric" }),
  });
}
