import { useEffect } from "react";
import type { JobCheck } from "@/lib/api/schema";
import { useNow } from "@/lib/clock";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";
import { type Claim, claimOf } from "./claim";
import type { Checked } from "./useCheck";
import "./Forecast.css";

interface ForecastProps {
  checked: Checked;
  title: string;
  sending: boolean;
  /** Problems that have no field of their own to stand at. */
  loose: readonly string[];
  /** How many there are in all. */
  problems: number;
}

/** What would become of the job if it were handed in now: a standing line, its height kept. */
export function Forecast({ checked, title, sending, loose, problems }: ForecastProps) {
  const say = useWords(words);
  const { check, error, pending, refresh } = checked;
  const ageS = useNow() - checked.at;
  const { claim, tone } = claimOf({ ...checked, ageS, failed: error !== null, sending, problems });
  // Folders and environments come and go without an event.
  useEffect(() => {
    if (claim === "old") refresh();
  }, [claim, refresh]);
  const isOfNow = claim === "fresh" || claim === "problems";
  const aside = pending ? say("checkingAgain") : claim === "old" ? say("checkedBefore") : "";
  return (
    <div className={`forecast forecast-${tone}`} role="status" aria-busy={pending || sending}>
      <div className="forecast-title">{aside && !sending ? `${title} · ${aside}` : title}</div>
      <div className="forecast-message">
        <Sentence claim={claim} check={check} error={error} problems={problems} />
      </div>
      {[...loose, ...(isOfNow ? warningsOf(check) : [])].map((message) => (
        <div key={message} className="forecast-loose">
          {message}
        </div>
      ))}
    </div>
  );
}

/** What might keep it from beginning though it is no reason to refuse it, and what could not be checked. */
function warningsOf(check: JobCheck | null): string[] {
  return (check?.warnings ?? []).map(({ message, hint }) => (hint ? `${message} ${hint}` : message));
}

interface SentenceProps {
  claim: Claim;
  check: JobCheck | null;
  error: Error | null;
  problems: number;
}

function Sentence({ claim, check, error, problems }: SentenceProps) {
  const say = useWords(words);
  if (claim === "sending") return say("sending");
  if (claim === "unreachable") return `${say("cannotCheck")} ${error?.message ?? say("noConnection")}`;
  if (claim === "problems") return say("putRight", { count: problems });
  if (claim === "empty") return say("nothingToRun");
  if (claim === "checking" || !check) return say("checking");
  // A sentence that names its place in the queue says so already.
  const isPlaced = check.why.some(({ code }) => code === "behind_in_queue");
  const saysAhead = check.starts === "later" && check.ahead > 0 && !isPlaced;
  const ahead = saysAhead ? ` ${say("ahead", { count: check.ahead })}` : "";
  const chosen = check.auto ? ` ${check.auto}` : "";
  return `${check.message || say("checking")}${ahead}${chosen}`;
}
