/** Sizes, durations and times as people say them. */
import type { Language } from "./i18n/words";

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"];

export function formatBytes(bytes: number): string {
  let value = Math.abs(bytes);
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const text = value.toFixed(digits).replace(/\.0+$/, "");
  return `${bytes < 0 ? "-" : ""}${text} ${UNITS[unit]}`;
}

export function formatMegabytes(mb: number): string {
  return formatBytes(mb * 1024 * 1024);
}

export function formatRate(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** `3d 4h`, `2h 05m`, `4m 09s`, `12s`: two parts at most, so that columns align. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts: [number, string][] = [
    [Math.floor(whole / 86400), "d"],
    [Math.floor(whole / 3600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "m"],
    [whole % 60, "s"],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  if (first < 0) return "0s";
  const [large, small] = [parts[first], parts[first + 1]];
  if (!large) return "0s";
  if (!small) return `${large[0]}${large[1]}`;
  const padded = small[1] === "h" ? String(small[0]) : String(small[0]).padStart(2, "0");
  return `${large[0]}${large[1]} ${padded}${small[1]}`;
}

const STEPS: [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 1, "second"],
  [3600, 60, "minute"],
  [86400, 3600, "hour"],
  [30 * 86400, 86400, "day"],
  [365 * 86400, 30 * 86400, "month"],
  [Number.POSITIVE_INFINITY, 365 * 86400, "year"],
];

export function formatAgo(at: number, now: number, language: Language): string {
  const difference = at - now;
  const size = Math.abs(difference);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  if (size < 5) return format.format(0, "second");
  for (const [limit, seconds, unit] of STEPS) {
    if (size < limit) return format.format(Math.trunc(difference / seconds), unit);
  }
  return "";
}

export function formatExact(at: number, language: Language): string {
  return new Date(at * 1000).toLocaleString(language === "zh" ? "zh-CN" : "en-GB", { hour12: false });
}

export function formatNumber(value: number, language: Language): string {
  return value.toLocaleString(language === "zh" ? "zh-CN" : "en-GB");
}

/** `950`, `12 thousand`, `1.2 million`; `1.2万`, `120万`: two digits of what is large. */
export function formatRounded(value: number, language: Language): string {
  if (value < 10_000) return formatNumber(value, language);
  return new Intl.NumberFormat(language === "zh" ? "zh-CN" : "en-GB", {
    notation: "compact",
    compactDisplay: "long",
    maximumSignificantDigits: 2,
  }).format(value);
}

/** `1h30m`, `90s`, `2d`, `1:30:00`, `2-00:00:00`, or plain seconds, as the command line takes them; null when it is none. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  const clock = /^(?:(\d+)-)?(\d+):(\d{1,2})(?::(\d{1,2}))?$/.exec(trimmed);
  if (clock) {
    const [, days, first = "0", second = "0", third] = clock;
    // Two numbers alone are minutes and seconds, as a stopwatch shows them.
    if (days === undefined && third === undefined) return Number(first) * 60 + Number(second);
    return Number(days ?? 0) * 86400 + Number(first) * 3600 + Number(second) * 60 + Number(third ?? 0);
  }
  const part = /(\d+(?:\.\d+)?)\s*([wdhms])/g;
  if (!/^(\s*\d+(?:\.\d+)?\s*[wdhms])+\s*$/.test(trimmed)) return null;
  const size: Record<string, number> = { w: 604800, d: 86400, h: 3600, m: 60, s: 1 };
  return [...trimmed.matchAll(part)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * (size[unit ?? "s"] ?? 1),
    0,
  );
}
