import type { AttemptRow } from "@/lib/api/schema";
import { formatDuration } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { useEnd } from "@/lib/jobEnd";
import { words } from "./words";

/** Below the last line: how it ended. */
export function LogEnd({ attempt }: { attempt: AttemptRow }) {
  const say = useWords(words);
  const sayEnd = useEnd();
  const { number, end_reason: reason, exit_code: code, signal, started_at: from, ended_at: to } = attempt;
  const isGood = reason === "completed";
  const how = sayEnd(reason ?? null, code ?? null, signal ?? null) ?? "?";
  return (
    <p className={isGood ? "log-end" : "log-end log-end-bad"}>
      {say("endedHow", { number, how })}
      {from != null && to != null && <span> · {say("after", { duration: formatDuration(to - from) })}</span>}
    </p>
  );
}
