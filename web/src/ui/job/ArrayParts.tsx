import type { ArrayRow } from "@/lib/api/schema";
import "./ArrayParts.css";

/** What becomes of the elements of an array, in the order in which it is drawn. */
export const ARRAY_PARTS = ["succeeded", "failed", "cancelled", "active", "waiting"] as const;

/** How far an array is: one bar, each part as wide as it has elements. `label` says the same in words. */
export function ArrayParts({
  array,
  label,
  className,
}: {
  array: ArrayRow;
  label: string;
  className: string;
}) {
  return (
    <span className={`array-parts ${className}`} role="img" aria-label={label}>
      {ARRAY_PARTS.map((part) =>
        array[part] > 0 ? (
          <i key={part} className={`array-part-${part}`} style={{ flexGrow: array[part] }} />
        ) : null,
      )}
    </span>
  );
}
