import { memo } from "react";
import { useWords } from "@/lib/i18n/language";
import { cssOf } from "./ansi";
import { markSpans } from "./highlight";
import type { Row } from "./lines";
import { words } from "./words";

interface LogRowProps {
  row: Row;
  wanted: string;
  /** It is what somebody searched for. */
  isCurrent: boolean;
  onMore: (row: Row) => void;
}

/** One line of a log, or a part of a very long one. */
export const LogRow = memo(function LogRow({ row, wanted, isCurrent, onMore }: LogRowProps) {
  const say = useWords(words);
  const spans = wanted ? markSpans(row.spans, wanted) : row.spans.map((span) => ({ ...span, isHit: false }));
  return (
    <div className={isCurrent ? "log-row log-row-current" : "log-row"} data-offset={row.offset}>
      {row.isMid && <span className="log-row-mid" aria-hidden="true" title={say("midLine")} />}
      {spans.map(({ text, style, isHit }, at) =>
        isHit ? (
          <mark key={at}>{text}</mark>
        ) : (
          <span key={at} style={cssOf(style)}>
            {text}
          </span>
        ),
      )}
      {row.isCut && (
        <button type="button" className="log-row-more" onClick={() => onMore(row)}>
          {say("showMore")}
        </button>
      )}
      {/* Copied, an empty line is a line, too. */}
      {spans.length === 0 && <br />}
    </div>
  );
});
