/** A job as it stands in the form: what people type, and back to the fields that the server takes. Pure. */
import type { EndReason, JobFields, Launcher } from "@/lib/api/schema";
import { parseDuration } from "@/lib/format";
import { parseMegabytes, writeDuration, writeMegabytes } from "@/lib/quantities";
import { findBadVariable, type Variable } from "./variables";

/** The same names as on the wire. Empty texts and nulls say nothing; durations and sizes are as people write them. */
export interface JobForm {
  command: string;
  arguments: string[];
  name: string;
  directory: string;
  environment: string;
  node: string;
  nodes: string;
  /** Empty: plain. */
  launcher: Launcher | "";
  spread: boolean;
  only_nodes: string[];
  exclude_nodes: string[];
  gpu_model: string;
  restartable: boolean;
  service: boolean;
  gpus: number | "auto" | null;
  gpu_ids: number[];
  gpu_arg: string;
  cpus: number | null;
  memory_mb: string;
  share: boolean;
  no_sharing: boolean;
  gpu_memory_mb: string;
  stage: string[];
  array: string;
  time_limit_s: string;
  grace_s: string;
  after: number[];
  after_ok: number[];
  urgent: boolean;
  hold: boolean;
  retries: number | null;
  retry_backoff_s: string;
  /** Null: the usual reasons. */
  retry_on: EndReason[] | null;
  stdout: string;
  stderr: string;
  variables: Variable[];
  description: string;
  wait_for_hardware: boolean;
  call: string;
}

export type FieldName = keyof JobForm;

const TEXTS = [
  "command",
  "name",
  "directory",
  "environment",
  "node",
  "nodes",
  "gpu_model",
  "gpu_arg",
  "array",
  "stdout",
  "stderr",
  "description",
  "call",
] as const;
const COUNTS = ["cpus", "retries"] as const;
const SIZES = ["memory_mb", "gpu_memory_mb"] as const;
const DURATIONS = ["time_limit_s", "grace_s", "retry_backoff_s"] as const;
const SWITCHES = [
  "share",
  "no_sharing",
  "spread",
  "restartable",
  "service",
  "urgent",
  "hold",
  "wait_for_hardware",
] as const;

export const FIELD_NAMES: readonly FieldName[] = [
  ...TEXTS,
  ...COUNTS,
  ...SIZES,
  ...DURATIONS,
  ...SWITCHES,
  "launcher",
  "only_nodes",
  "exclude_nodes",
  "arguments",
  "gpus",
  "gpu_ids",
  "stage",
  "after",
  "after_ok",
  "retry_on",
  "variables",
];

export function toForm(fields: JobFields): JobForm {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, fields[name] ?? ""]));
  const counts = Object.fromEntries(COUNTS.map((name) => [name, fields[name] ?? null]));
  const sizes = Object.fromEntries(
    SIZES.map((name) => [name, fields[name] ? writeMegabytes(fields[name]) : ""]),
  );
  const durations = Object.fromEntries(DURATIONS.map((name) => [name, write(fields[name])]));
  const switches = Object.fromEntries(SWITCHES.map((name) => [name, fields[name] ?? false]));
  return {
    ...(texts as Record<(typeof TEXTS)[number], string>),
    ...(counts as Record<(typeof COUNTS)[number], number | null>),
    ...(sizes as Record<(typeof SIZES)[number], string>),
    ...(durations as Record<(typeof DURATIONS)[number], string>),
    ...(switches as Record<(typeof SWITCHES)[number], boolean>),
    launcher: fields.launcher ?? "",
    only_nodes: [...(fields.only_nodes ?? [])],
    exclude_nodes: [...(fields.exclude_nodes ?? [])],
    arguments: [...(fields.arguments ?? [])],
    gpus: fields.gpus ?? null,
    gpu_ids: [...(fields.gpu_ids ?? [])],
    stage: [...(fields.stage ?? [])],
    after: [...(fields.after ?? [])],
    after_ok: [...(fields.after_ok ?? [])],
    retry_on: fields.retry_on ? [...fields.retry_on] : null,
    variables: Object.entries(fields.variables ?? {}).map(([name, value]) => ({ name, value })),
  };
}

function write(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? "" : writeDuration(seconds);
}

export const EMPTY_FORM: JobForm = toForm({});

export interface Reading {
  fields: JobFields;
  /** Fields whose text means nothing. */
  unread: FieldName[];
}

/** What the form says. What is empty is left out; switches and lists are always said. */
export function toFields(form: JobForm): Reading {
  const fields: JobFields = {};
  const unread: FieldName[] = [];
  for (const name of TEXTS) {
    const text = name === "command" || name === "description" ? form[name] : form[name].trim();
    if (text.trim()) fields[name] = text;
  }
  for (const name of COUNTS) if (form[name] !== null) fields[name] = form[name];
  for (const [names, parse] of [
    [SIZES, parseMegabytes],
    [DURATIONS, parseDuration],
  ] as const) {
    for (const name of names) {
      if (!form[name].trim()) continue;
      const value = parse(form[name]);
      if (value === null) unread.push(name);
      else fields[name] = value;
    }
  }
  for (const name of SWITCHES) fields[name] = form[name];
  if (form.launcher) fields.launcher = form.launcher;
  fields.only_nodes = form.only_nodes;
  fields.exclude_nodes = form.exclude_nodes;
  fields.arguments = form.arguments;
  if (form.gpus !== null) fields.gpus = form.gpus;
  fields.gpu_ids = form.gpu_ids;
  fields.stage = form.stage;
  fields.after = form.after;
  fields.after_ok = form.after_ok;
  if (form.retry_on !== null) fields.retry_on = form.retry_on;
  const rows = form.variables.filter(({ name }) => name.trim());
  if (findBadVariable(form.variables)) unread.push("variables");
  else fields.variables = Object.fromEntries(rows.map(({ name, value }) => [name.trim(), value]));
  return { fields, unread };
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
