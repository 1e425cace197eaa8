import { useCallback } from "react";
import type { EndReason } from "./api/schema";
import { useVocabulary } from "./vocabulary-words";

type SayEnd = (reason: EndReason | null, exitCode: number | null, signal: number | null) => string | null;

/** How something ended, in a few words, as the command line says it: `exit code 1`, `signal 9`, `time limit`. */
export function useEnd(): SayEnd {
  const name = useVocabulary();
  return useCallback<SayEnd>(
    (reason, exitCode, signal) => {
      if (reason === null) return null;
      if ((reason === "completed" || reason === "exit_code") && exitCode !== null)
        return name("ended.exit_code", { code: exitCode });
      if (reason === "signal" && signal !== null) return name("ended.signal", { signal });
      return name(`end.${reason}`);
    },
    [name],
  );
}
