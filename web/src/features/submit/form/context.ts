import { createContext, useContext } from "react";
import type { FieldName, JobForm } from "./jobForm";

export type Origin = "defaults" | "job";

export interface FormContextValue {
  form: JobForm;
  base: JobForm;
  /** What the form began with: the user's defaults, or a job's own values. */
  origin: Origin;
  /** What applies to a new job where the form says nothing; null for one that is edited. */
  defaults: JobForm | null;
  problems: ReadonlyMap<FieldName, string>;
  /** It is being sent: nothing can be changed until the answer is there. */
  closed: boolean;
  set(patch: Partial<JobForm>): void;
}

export const FormContext = createContext<FormContextValue | null>(null);

export function useForm(): FormContextValue {
  const context = useContext(FormContext);
  if (!context) throw new Error("useForm is for the fields of a job's form");
  return context;
}
