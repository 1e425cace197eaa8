/** Durations and sizes as they stand in a field: short, and exact, so that reading them gives the same number. */

const UNITS: [length: number, unit: string][] = [
  [86400, "d"],
  [3600, "h"],
  [60, "m"],
];

/** `1d12h`, `1h30m`, `90.5s`: what `parseDuration` reads as just this many seconds. */
export function writeDuration(seconds: number): string {
  if (!Number.isInteger(seconds)) return `${seconds}s`;
  let left = seconds;
  let text = "";
  for (const [length, unit] of UNITS) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) text += `${count}${unit}`;
  }
  return left > 0 || text === "" ? `${text}${left}s` : text;
}

const MEGABYTES: Record<string, number> = { k: 1 / 1024, m: 1, g: 1024, t: 1024 ** 2, p: 1024 ** 3 };

/** Megabytes of `500M`, `16G`, `16 GB`, `1.5GiB`, `2048` (MB), as the command line takes them; null when it is none. */
export function parseMegabytes(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgtp]?)(?:i?b)?$/.exec(text.trim().toLowerCase());
  if (!match) return null;
  const [, number = "0", unit] = match;
  return Math.max(1, Math.round(Number(number) * (MEGABYTES[unit || "m"] ?? 1)));
}

/** `16G`, or `500M` where it is not round. */
export function writeMegabytes(megabytes: number): string {
  return megabytes > 0 && megabytes % 1024 === 0 ? `${megabytes / 1024}G` : `${megabytes}M`;
}
