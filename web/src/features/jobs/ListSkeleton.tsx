import { useWords } from "@/lib/i18n/language";
import { words } from "@/ui/words";
import "./ListSkeleton.css";

/** As high as the rows that will be there. */
export function ListSkeleton({ rows = 8 }: { rows?: number }) {
  const say = useWords(words);
  return (
    <div className="list-skeleton" role="status" aria-label={say("loading")}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index}>
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}
