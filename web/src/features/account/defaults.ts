/** A user's defaults as people write and read them. Pure. */
import type { JobFields } from "@/lib/api/schema";
import { formatMegabytes, parseDuration } from "@/lib/format";
import { writeDuration } from "@/lib/quantities";

export type FieldName = keyof JobFields;

/** Those that have a place in the form; all others that are set are listed. */
export const IN_FORM = ["directory", "environment", "gpus", "time_limit_s", "retries"] as const;
type FormName = (typeof IN_FORM)[number];

/** What stands in the form: text where a person types, nothing where nothing is set. */
export interface DefaultsForm {
  directory?: string;
  environment?: string;
  gpus?: number | "auto" | null;
  time_limit_s?: string;
  retries?: number | null;
}

export interface Edit {
  set: JobFields;
  clear: FieldName[];
}

export function formOf(defaults: JobFields): DefaultsForm {
  return {
    directory: defaults.directory ?? undefined,
    environment: defaults.environment ?? undefined,
    gpus: defaults.gpus ?? undefined,
    time_limit_s: defaults.time_limit_s == null ? undefined : writeDuration(defaults.time_limit_s),
    retries: defaults.retries ?? undefined,
  };
}

function fieldsOf(form: DefaultsForm): Pick<JobFields, FormName> {
  const limit = form.time_limit_s?.trim();
  return {
    directory: form.directory?.trim() || null,
    environment: form.environment?.trim() || null,
    gpus: form.gpus ?? null,
    time_limit_s: limit ? parseDuration(limit) : null,
    retries: form.retries ?? null,
  };
}

/** What has to be told to the server; null when the form says what is set already. */
export function editOf(before: JobFields, form: DefaultsForm): Edit | null {
  const wanted = fieldsOf(form);
  const edit: Edit = { set: {}, clear: [] };
  for (const name of IN_FORM) {
    const [old, now] = [before[name] ?? null, wanted[name]];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    if (now === null) edit.clear.push(name);
    else Object.assign(edit.set, { [name]: now });
  }
  return edit.clear.length || Object.keys(edit.set).length ? edit : null;
}

/** The names of all fields that are set. */
export function namesSet(defaults: JobFields): FieldName[] {
  return (Object.keys(defaults) as FieldName[]).filter(
    (name) => defaults[name] !== null && defaults[name] !== undefined,
  );
}

export function isInForm(name: FieldName): name is FormName {
  return (IN_FORM as readonly string[]).includes(name);
}

/** The value of a field as people read it. */
export function showValue(name: FieldName, value: unknown, yes: string, no: string): string {
  if (typeof value === "boolean") return value ? yes : no;
  if (typeof value === "number" && name.endsWith("_mb")) return formatMegabytes(value);
  if (typeof value === "number" && name.endsWith("_s")) return writeDuration(value);
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([key, each]) => `${key}=${each}`)
      .join("  ");
  }
  return String(value);
}
