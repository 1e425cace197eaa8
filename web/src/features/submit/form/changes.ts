/** What an edit changes: only that is sent, so that two people's edits of different fields both count. Pure. */
import type { JobEdit, JobFields } from "@/lib/api/schema";
import { FIELD_NAMES, type FieldName } from "./jobForm";

/** Lists in which the order means nothing. */
const SETS: readonly string[] = ["gpu_ids", "after", "after_ok"];
const SETS_OF_NAMES: readonly string[] = ["only_nodes", "exclude_nodes"];
/** What is so as well when nobody says it. */
const UNSAID: Partial<Record<FieldName, string>> = { nodes: "1", launcher: "plain" };

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
  if (value === UNSAID[name]) return null;
  if (name === "retry_on") return [...(value as string[])].sort();
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    if (SETS_OF_NAMES.includes(name)) return [...value].sort();
    return SETS.includes(name) ? [...value].sort((a, b) => Number(a) - Number(b)) : value;
  }
  if (typeof value === "object") {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.length ? entries : null;
  }
  return (name === "memory_mb" || name === "gpu_memory_mb") && value === 0 ? null : value;
}

export function isEmptyEdit({ set, clear }: Required<JobEdit>): boolean {
  return Object.keys(set).length === 0 && clear.length === 0;
}
