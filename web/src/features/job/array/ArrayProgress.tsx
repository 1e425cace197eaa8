import type { ArrayRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { ARRAY_PARTS, ArrayParts } from "@/ui/job/ArrayParts";
import { words } from "../words";

/** How far an array is: a bar in parts, and each part in words below. */
export function ArrayProgress({ array }: { array: ArrayRow }) {
  const say = useWords(words);
  const name = useVocabulary();
  return (
    <div className="job-progress">
      <ArrayParts
        array={array}
        className="job-progress-bar"
        label={say("taskProgress", { ...array, at_most: "" })}
      />
      <ul className="job-progress-legend" aria-hidden="true">
        {ARRAY_PARTS.map((part) => (
          <li key={part}>
            <i className={`array-part-${part}`} />
            {name(`state.${part === "active" ? "running" : part}`)} <b className="number">{array[part]}</b>
          </li>
        ))}
        {array.at_most != null && <li className="soft">{say("atMost", { count: array.at_most })}</li>}
      </ul>
    </div>
  );
}
