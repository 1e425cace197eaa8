import { useWords } from "@/lib/i18n/language";
import { words } from "../words";
import type { FieldName, JobForm } from "./jobForm";
import { findBadVariable } from "./variables";

/** What to say of a field whose text means nothing. */
export function useUnreadWords(): (form: JobForm, name: FieldName) => string {
  const say = useWords(words);
  return (form, name) => {
    if (name === "variables") {
      const bad = findBadVariable(form.variables);
      return bad ? say(`variable_${bad.why}`, { name: bad.name, row: bad.place + 1 }) : "";
    }
    return say(name === "memory_mb" || name === "gpu_memory_mb" ? "badSize" : "badDuration");
  };
}
