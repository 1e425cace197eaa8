/** What of the server's log stands in the address. */
export const LEVELS = ["debug", "info", "warning", "error"] as const;
export type Level = (typeof LEVELS)[number];

export interface ServerLogSearch {
  level?: Level;
  text?: string;
}

export function readServerLogSearch(raw: Record<string, unknown>): ServerLogSearch {
  return {
    ...(LEVELS.includes(raw.level as Level) ? { level: raw.level as Level } : {}),
    ...(typeof raw.text === "string" && raw.text ? { text: raw.text } : {}),
  };
}
