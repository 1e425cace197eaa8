import { useWords } from "@/lib/i18n/language";
import { JOB_FIELDS } from "@/lib/jobFields";
import { words } from "../words";
import type { FieldName, JobForm } from "./jobForm";
import { findBadVariable } from "./variables";

/** What to say of a field whose text means nothing. */
export function useUnreadWords(): (form: JobForm, name: FieldName) => string {
  const say = useWords(words);
  return (form, name) => {
    const { kind } = JOB_FIELDS[name];
    if (kind === "variables" || kind === "tags") {
      const bad = findBadVariable(kind, form[kind]);
      if (!bad) return "";
      const facts = { name: bad.name, row: bad.place + 1 };
      return say(kind === "tags" ? `tag_${bad.why}` : `variable_${bad.why}`, facts);
    }
    return say(kind === "size" ? "badSize" : "badDuration");
  };
}
