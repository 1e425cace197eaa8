/** What stands in the field of a setting, and whether it can be saved. The server has the last word. */
import type { SettingRow } from "@/lib/api/schema";

export type Value = SettingRow["value"];
type Bounds = Pick<SettingRow, "kind" | "least" | "most">;

/** The value that was typed, or the word for what is wrong with it. */
export function readDraft(
  { kind, least, most }: Bounds,
  typed: string,
): { value: Value } | { problem: "missing" | "whole" | "between" } {
  const text = typed.trim();
  if (kind !== "number") return { value: text };
  if (text === "") return { problem: "missing" };
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: "missing" };
  if (!Number.isInteger(value)) return { problem: "whole" };
  if (value < (least ?? value) || value > (most ?? value)) return { problem: "between" };
  return { value };
}

/** Those that have the text in their title, description or name. */
export function matching<S extends Pick<SettingRow, "name" | "title" | "text">>(
  rows: readonly S[],
  text: string,
): S[] {
  const wanted = text.trim().toLowerCase();
  // On the command line a name is written with dashes.
  return rows.filter(({ name, title, text: meaning }) =>
    [title, meaning, name, name.replaceAll("_", "-")].some((each) => each.toLowerCase().includes(wanted)),
  );
}

/** A value in words: numbers with their unit. */
export function showValue(
  { unit }: Pick<SettingRow, "unit">,
  value: Value,
  words: { on: string; off: string; empty: string },
): string {
  if (typeof value === "boolean") return value ? words.on : words.off;
  if (typeof value === "string") return value || words.empty;
  return unit ? `${value} ${unit}` : String(value);
}
