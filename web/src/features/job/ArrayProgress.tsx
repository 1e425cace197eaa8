import type { ArrayRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { words } from "./words";

const PARTS = [
  ["succeeded", "free", "state.succeeded"],
  ["failed", "sick", "state.failed"],
  ["cancelled", "idle", "state.cancelled"],
  ["active", "busy", "state.running"],
  ["waiting", "waiting", "state.waiting"],
] as const;

/** How far an array is: a bar in parts, and each part in words below. */
export function ArrayProgress({ array }: { array: ArrayRow }) {
  const say = useWords(words);
  const name = useVocabulary();
  return (
    <div className="job-progress">
      <div
        className="job-progress-bar"
        role="img"
        aria-label={say("taskProgress", { ...array, at_most: "" })}
      >
        {PARTS.map(([part, tone]) =>
          array[part] > 0 ? (
            <i key={part} className={`job-progress-${tone}`} style={{ flexGrow: array[part] }} />
          ) : null,
        )}
      </div>
      <ul className="job-progress-legend" aria-hidden="true">
        {PARTS.map(([part, tone, word]) => (
          <li key={part}>
            <i className={`job-progress-${tone}`} />
            {name(word)} <b className="number">{array[part]}</b>
          </li>
        ))}
        {array.at_most != null && <li className="soft">{say("atMost", { count: array.at_most })}</li>}
      </ul>
    </div>
  );
}
