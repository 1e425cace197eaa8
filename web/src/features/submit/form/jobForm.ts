/** A job as it stands in the form: what people type, and back to the fields that the server takes. Pure. */
import type { EndReason, JobFields, Launcher } from "@/lib/api/schema";
import { parseDuration } from "@/lib/format";
import { JOB_FIELDS } from "@/lib/jobFields";
import { parseMegabytes, writeDuration, writeMegabytes } from "@/lib/quantities";
import { findBadVariable, type PairsName, type Variable } from "./variables";

export type FieldName = keyof typeof JOB_FIELDS;
export const FIELD_NAMES = Object.keys(JOB_FIELDS) as readonly FieldName[];

/** What the form holds for a field of each kind. Empty texts and nulls say nothing. */
interface Kinds {
  text: string;
  folder: string;
  /** As people write them. */
  size: string;
  duration: string;
  count: number | null;
  count_or_auto: number | "auto" | null;
  switch: boolean;
  /** Empty: plain. */
  launcher: Launcher | "";
  /** Null: the usual reasons. */
  reasons: EndReason[] | null;
  arguments: string[];
  names: string[];
  paths: string[];
  job_ids: number[];
  gpu_ids: number[];
  variables: Variable[];
  tags: Variable[];
}
type Kind = (typeof JOB_FIELDS)[FieldName]["kind"];

/** The same names as on the wire. */
export type JobForm = { [Name in FieldName]: Kinds[(typeof JOB_FIELDS)[Name]["kind"]] };

/** The fields of one kind. */
export type NameOf<Wanted extends Kind> = {
  [Name in FieldName]: (typeof JOB_FIELDS)[Name]["kind"] extends Wanted ? Name : never;
}[FieldName];

const UNTRIMMED: readonly FieldName[] = ["command", "description"];

export function toForm(fields: JobFields): JobForm {
  return Object.fromEntries(
    FIELD_NAMES.map((name) => [name, formValue(JOB_FIELDS[name].kind, fields[name] ?? null)]),
  ) as unknown as JobForm;
}

function formValue(kind: Kind, value: unknown): Kinds[Kind] {
  switch (kind) {
    case "text":
    case "folder":
    case "launcher":
      return (value as string | null) ?? "";
    case "size":
      return value ? writeMegabytes(value as number) : "";
    case "duration":
      return value === null ? "" : writeDuration(value as number);
    case "count":
    case "count_or_auto":
      return value as number | null;
    case "switch":
      return (value as boolean | null) ?? false;
    case "reasons":
      return value === null ? null : [...(value as EndReason[])];
    case "variables":
    case "tags":
      return Object.entries((value as Record<string, string> | null) ?? {}).map(([name, value]) => ({
        name,
        value,
      }));
    default:
      return [...((value as string[] | null) ?? [])];
  }
}

export const EMPTY_FORM: JobForm = toForm({});

export interface Reading {
  fields: JobFields;
  /** Fields whose text means nothing. */
  unread: FieldName[];
}

const UNREAD = Symbol("unread");

/** What the form says. What is empty is left out; switches and lists are always said. */
export function toFields(form: JobForm): Reading {
  const fields: Record<string, unknown> = {};
  const unread: FieldName[] = [];
  for (const name of FIELD_NAMES) {
    const value = wireValue(name, form[name]);
    if (value === UNREAD) unread.push(name);
    else if (value !== null) fields[name] = value;
  }
  return { fields: fields as JobFields, unread };
}

/** Null: it says nothing. */
function wireValue(name: FieldName, value: JobForm[FieldName]): unknown {
  switch (JOB_FIELDS[name].kind) {
    case "text":
    case "folder": {
      const text = value as string;
      return text.trim() ? (UNTRIMMED.includes(name) ? text : text.trim()) : null;
    }
    case "size":
      return parsed(value as string, parseMegabytes);
    case "duration":
      return parsed(value as string, parseDuration);
    case "launcher":
      return value || null;
    case "variables":
    case "tags":
      return pairs(name as PairsName, value as Variable[]);
    default:
      return value;
  }
}

function parsed(text: string, parse: (text: string) => number | null): unknown {
  return text.trim() ? (parse(text) ?? UNREAD) : null;
}

function pairs(name: PairsName, rows: Variable[]): unknown {
  if (findBadVariable(name, rows)) return UNREAD;
  return Object.fromEntries(
    rows.filter(({ name }) => name.trim()).map((row) => [row.name.trim(), row.value]),
  );
}

export function sameForm(one: JobForm, other: JobForm): boolean {
  return FIELD_NAMES.every((name) => sameField(one, other, name));
}

export function sameField(one: JobForm, other: JobForm, name: FieldName): boolean {
  return JSON.stringify(one[name]) === JSON.stringify(other[name]);
}

/** Whether it says anything that only matters where there are several nodes. */
export function isOfManyNodes(form: JobForm): boolean {
  return (
    !["", "1"].includes(form.nodes.trim()) ||
    !["", "plain"].includes(form.launcher) ||
    form.spread ||
    form.only_nodes.length + form.exclude_nodes.length > 0
  );
}

export function isEmptyField(form: JobForm, name: FieldName): boolean {
  return sameField(form, EMPTY_FORM, name);
}
