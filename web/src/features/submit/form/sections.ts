/** The steps of the form, in order of meaning, and which field is found where. Pure. */
import type { Problem } from "@/lib/api/schema";
import { FIELD_NAMES, type FieldName } from "./jobForm";

export const SECTION_NAMES = ["what", "resources", "nodes", "placement", "when", "more"] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

/** What most jobs say. */
export const OPEN_AT_FIRST: readonly SectionName[] = ["what", "resources"];

export const SECTIONS: Record<SectionName, readonly FieldName[]> = {
  what: ["command", "arguments", "call", "directory", "environment", "name"],
  resources: ["gpus", "gpu_memory_mb", "share", "no_sharing", "cpus", "memory_mb"],
  nodes: ["nodes", "launcher"],
  placement: [
    "node",
    "gpu_ids",
    "gpu_model",
    "only_nodes",
    "exclude_nodes",
    "spread",
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
  more: ["variables", "stdout", "stderr", "description", "gpu_arg", "grace_s"],
};

/** The section that an address names behind its '#'. */
export function sectionOfHash(hash: string): SectionName | null {
  return SECTION_NAMES.find((name) => name === hash.replace(/^#/, "")) ?? null;
}

/** The field of the form that a problem is about: `set.variables.A` is about the variables. */
export function fieldOf(problem: Problem): FieldName | null {
  const parts = (problem.field ?? "").split(/[.[\]]/);
  return parts.find((part): part is FieldName => (FIELD_NAMES as readonly string[]).includes(part)) ?? null;
}

export function sectionOf(field: FieldName): SectionName {
  return SECTION_NAMES.find((name) => SECTIONS[name].includes(field)) ?? "what";
}
