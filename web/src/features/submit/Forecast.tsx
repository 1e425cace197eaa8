import type { JobCheck } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import type { Checked } from "./useCheck";
import { words } from "./words";
import "./Forecast.css";

const TONES = { now: "free", later: "foreign", held: "idle" } as const;

interface ForecastProps {
  checked: Checked;
  title: string;
  /** Problems that have no field of their own to stand at. */
  loose: readonly string[];
  /** How many there are in all. */
  problems: number;
}

/** What would become of the job if it were handed in now: a standing line, its height kept. */
export function Forecast({ checked, title, loose, problems }: ForecastProps) {
  const say = useWords(words);
  const { check, error, pending } = checked;
  const tone = problems > 0 ? "sick" : check?.starts && !error ? TONES[check.starts] : "idle";
  return (
    <div className={`forecast forecast-${tone}`} role="status" aria-busy={pending}>
      <div className="forecast-title">{title}</div>
      <div className="forecast-message">
        {problems > 0 ? say("putRight", { count: problems }) : <Sentence check={check} error={error} />}
      </div>
      {[...loose, ...warningsOf(check)].map((message) => (
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

function Sentence({ check, error }: { check: JobCheck | null; error: Error | null }) {
  const say = useWords(words);
  if (error) return `${say("cannotCheck")} ${error.message}`;
  if (!check) return say("checking");
  const ahead = check.starts === "later" && check.ahead > 0 ? ` ${say("ahead", { count: check.ahead })}` : "";
  const chosen = check.auto ? ` ${check.auto}` : "";
  return `${check.message || say("checking")}${ahead}${chosen}`;
}
