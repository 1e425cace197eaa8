import { useWords } from "@/lib/i18n/language";
import { JOB_FIELDS } from "@/lib/jobFields";
import { words } from "../words";
import type { FieldName, JobForm, NameOf } from "./jobForm";
import { findBadVariable } from "./variables";

/** What to say of a field whose text means nothing. */
export function useUnreadWords(): (form: JobForm, name: FieldName) => string {
  const say = useWords(words);
  return (form, name) => {
    const { kind } = JOB_FIELDS[name];
    if (kind === "pairs") {
      const bad = findBadVariable(name as NameOf<"pairs">, form[name as NameOf<"pairs">]);
      return bad ? say(`variable_${bad.why}`, { name: bad.name, row: bad.place + 1 }) : "";
    }
    return say(kind === "size" ? "badSize" : "badDuration");
  };
}
