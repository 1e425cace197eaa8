import type { AttemptRow } from "@/lib/api/schema";
import { formatDuration } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { words } from "./words";

/** Below the last line: how it ended. */
export function LogEnd({ attempt }: { attempt: AttemptRow }) {
  const say = useWords(words);
  const name = useVocabulary();
  const { number, end_reason: reason, exit_code: code, signal, started_at: from, ended_at: to } = attempt;
  const isGood = reason === "completed";
  const how =
    reason === "completed" || reason === "exit_code"
      ? say("endedExit", { number, code: code ?? 0 })
      : reason === "signal"
        ? say("endedSignal", { number, signal: signal ?? "?" })
        : say("endedHow", { number, how: reason ? name(`end.${reason}`) : "?" });
  return (
    <p className={isGood ? "log-end" : "log-end log-end-bad"}>
      {how}
      {from != null && to != null && <span> · {say("after", { duration: formatDuration(to - from) })}</span>}
    </p>
  );
}
