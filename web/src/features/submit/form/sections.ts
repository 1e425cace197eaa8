/** The steps of the form, in order of meaning, and which field is found where. Pure. */
import type { Problem } from "@/lib/api/schema";
import { JOB_FIELDS } from "@/lib/jobFields";
import { FIELD_NAMES, type FieldName } from "./jobForm";

export const SECTION_NAMES = ["what", "resources", "nodes", "placement", "when", "more"] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

/** What most jobs say. */
export const OPEN_AT_FIRST: readonly SectionName[] = ["what", "resources"];

export const SECTIONS = Object.fromEntries(
  SECTION_NAMES.map((section) => [
    section,
    FIELD_NAMES.filter((name) => JOB_FIELDS[name].section === section),
  ]),
) as unknown as Record<SectionName, readonly FieldName[]>;

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
  return JOB_FIELDS[field].section;
}
