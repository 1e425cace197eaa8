import { useMemo } from "react";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { words } from "../words";
import type { FieldName, JobForm } from "./jobForm";

const LONGEST = 60;

/** A value of the form in words. The values of variables stay unsaid. */
export function useValueWords(): (form: JobForm, name: FieldName) => string {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  return useMemo(() => {
    function show(form: JobForm, name: FieldName): string {
      const value = form[name];
      if (name === "variables")
        return form.variables.map((each) => each.name).join(", ") || say("emptyValue");
      if (name === "tags")
        return form.tags.map((each) => `${each.name}=${each.value}`).join(", ") || say("emptyValue");
      if (name === "retry_on") {
        if (form.retry_on === null) return say("retryReasonsUsual");
        return form.retry_on.map((reason) => vocabulary(`end.${reason}`)).join(", ") || say("emptyValue");
      }
      if (typeof value === "boolean") return say(value ? "yes" : "no");
      const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
      if (!text) return say("emptyValue");
      return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
    }
    return show;
  }, [say, vocabulary]);
}
