import { useWords } from "./i18n/language";
import { vocabulary } from "./vocabulary";

/** The words for states, reasons and fields, the same as on the command line. */
export function useVocabulary() {
  return useWords(vocabulary);
}
