import type { ArrayRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { ArrayParts } from "@/ui/job/ArrayParts";
import { words } from "../words";
import "./ArrayBar.css";

/** How far an array is: a thin bar, and the same in words. */
export function ArrayBar({ array }: { array: ArrayRow }) {
  const say = useWords(words);
  const done = array.succeeded + array.failed + array.cancelled;
  return (
    <span className="array-bar">
      <ArrayParts
        array={array}
        className="array-bar-line"
        label={say("arrayProgress", { ...array, at_most: "" })}
      />
      <span className="number">{say("arrayShort", { done, total: array.total })}</span>
      {array.failed > 0 && (
        <span className="number array-bar-trouble">{say("arrayFailed", { failed: array.failed })}</span>
      )}
    </span>
  );
}
