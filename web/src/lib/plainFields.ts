/** The fields of a job that pages show by their kind alone, with the words of the table. Pure. */
import { JOB_FIELDS } from "./jobFields";

export type JobFieldName = keyof typeof JOB_FIELDS;
export type PlainName = {
  [Name in JobFieldName]: (typeof JOB_FIELDS)[Name]["plain"] extends true ? Name : never;
}[JobFieldName];

export const PLAIN_NAMES = (Object.keys(JOB_FIELDS) as JobFieldName[]).filter(
  (name): name is PlainName => JOB_FIELDS[name].plain,
);

/** Whether a value is what most jobs have there, and so goes without saying. */
export function isUsual(name: JobFieldName, value: unknown): boolean {
  const facts = JOB_FIELDS[name];
  return "usual" in facts && value === facts.usual;
}
