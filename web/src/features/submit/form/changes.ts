/** What an edit changes: only that is sent, so that two people's edits of different fields both count. Pure. */
import type { JobEdit, JobFields } from "@/lib/api/schema";
import { JOB_FIELDS } from "@/lib/jobFields";
import { isUsual } from "@/lib/plainFields";
import { FIELD_NAMES, type FieldName } from "./jobForm";

export function changesBetween(before: JobFields, after: JobFields): Required<JobEdit> {
  const set: Record<string, unknown> = {};
  const clear: string[] = [];
  for (const name of FIELD_NAMES) {
    const [old, now] = [plain(before, name), plain(after, name)];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    const value = after[name];
    if (value === undefined || value === null) clear.push(name);
    else set[name] = value;
  }
  // With a number of GPUs it is about each of them, with `auto` about all: the server takes it along only if told.
  if ((before.gpus === "auto") !== (after.gpus === "auto") && plain(after, "gpu_memory_mb"))
    set.gpu_memory_mb = after.gpu_memory_mb;
  return { set: set as JobFields, clear };
}

/** Values that mean the same are the same: nothing, false, none of a list. */
function plain(fields: JobFields, name: FieldName): unknown {
  const value = fields[name];
  if (value === null || value === undefined || value === false || value === "") return null;
  if (isUsual(name, value)) return null;
  const facts = JOB_FIELDS[name];
  // Lists in which the order means nothing.
  if (facts.kind === "reasons") return [...(value as string[])].sort();
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    if (facts.kind === "names") return [...value].sort();
    const isSet = facts.kind === "gpu_ids" || facts.kind === "job_ids";
    return isSet ? [...value].sort((a, b) => Number(a) - Number(b)) : value;
  }
  if (typeof value === "object") {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.length ? entries : null;
  }
  return facts.kind === "size" && value === 0 ? null : value;
}

export function isEmptyEdit({ set, clear }: Required<JobEdit>): boolean {
  return Object.keys(set).length === 0 && clear.length === 0;
}
