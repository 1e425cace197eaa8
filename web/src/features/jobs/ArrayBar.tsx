import type { ArrayRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { words } from "./words";
import "./ArrayBar.css";

const PARTS = ["succeeded", "failed", "cancelled", "active", "waiting"] as const;

/** How far an array is: a thin bar, and the same in words. */
export function ArrayBar({ array }: { array: ArrayRow }) {
  const say = useWords(words);
  const done = array.succeeded + array.failed + array.cancelled;
  return (
    <span className="array-bar">
      <span
        className="array-bar-line"
        role="img"
        aria-label={say("arrayProgress", { ...array, at_most: "" })}
      >
        {PARTS.map((part) =>
          array[part] > 0 ? (
            <i key={part} className={`array-bar-${part}`} style={{ flexGrow: array[part] }} />
          ) : null,
        )}
      </span>
      <span className="number">{say("arrayShort", { done, total: array.total })}</span>
      {array.failed > 0 && (
        <span className="number array-bar-trouble">{say("arrayFailed", { failed: array.failed })}</span>
      )}
    </span>
  );
}
