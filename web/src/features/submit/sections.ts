/** Which field is found where. Pure. */
import type { Problem } from "@/lib/api/schema";
import { FIELD_NAMES, type FieldName } from "./jobForm";

export type SectionName = "what" | "where" | "when" | "more";

export const SECTIONS: Record<SectionName, readonly FieldName[]> = {
  what: ["command", "call", "directory", "environment", "gpus", "name"],
  where: [
    "node",
    "nodes",
    "launcher",
    "spread",
    "only_nodes",
    "exclude_nodes",
    "gpu_model",
    "gpu_ids",
    "share",
    "no_sharing",
    "gpu_memory_mb",
    "cpus",
    "memory_mb",
    "stage",
    "wait_for_hardware",
  ],
  when: [
    "urgent",
    "hold",
    "restartable",
    "service",
    "after",
    "after_ok",
    "time_limit_s",
    "array",
    "retries",
    "retry_backoff_s",
    "retry_on",
  ],
  more: ["arguments", "variables", "stdout", "stderr", "mail", "description", "gpu_arg", "grace_s"],
};

/** The field of the form that a problem is about: `set.variables.A` is about the variables. */
export function fieldOf(problem: Problem): FieldName | null {
  const parts = (problem.field ?? "").split(/[.[\]]/);
  return parts.find((part): part is FieldName => (FIELD_NAMES as readonly string[]).includes(part)) ?? null;
}

export function sectionOf(field: FieldName): SectionName {
  const names = Object.keys(SECTIONS) as SectionName[];
  return names.find((name) => SECTIONS[name].includes(field)) ?? "what";
}
