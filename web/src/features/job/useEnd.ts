import { useCallback } from "react";
import type { EndReason } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { words } from "./words";

type SayEnd = (reason: EndReason | null, exitCode: number | null, signal: number | null) => string | null;

/** How something ended, in a few words: `exit code 1`, `signal 9`, `time limit`. */
export function useEnd(): SayEnd {
  const say = useWords(words);
  const name = useVocabulary();
  return useCallback<SayEnd>(
    (reason, exitCode, signal) => {
      if (reason === null) return null;
      if (reason === "completed" || reason === "exit_code") return say("exitCode", { code: exitCode ?? 0 });
      if (reason === "signal") return say("signal", { signal: signal ?? "?" });
      return name(`end.${reason}`);
    },
    [say, name],
  );
}
