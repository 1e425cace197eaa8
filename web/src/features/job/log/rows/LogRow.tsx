import { memo } from "react";
import { formatExact } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { cssOf } from "../text/ansi";
import type { Row } from "../text/lines";
import { words } from "../words";
import { markSpans } from "./highlight";

interface LogRowProps {
  row: Row;
  wanted: string;
  /** It is what the user searched for. */
  isCurrent: boolean;
  /** The page's address points to it. */
  isMarked: boolean;
  /** Of its line, where that is known; none for what goes on from the row above. */
  number: number | null;
  onMore: (row: Row) => void;
  /** Between which moments it was written, where that is shown and known. */
  after?: number;
  by?: number;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** One line of a log, or a part of a very long one. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { row, wanted, isCurrent, isMarked, number, onMore, after, by } = props;
  const say = useWords(words);
  const language = useLanguage();
  const spans = wanted ? markSpans(row.spans, wanted) : row.spans.map((span) => ({ ...span, isHit: false }));
  return (
    <div
      className={`log-row${isMarked ? " log-row-marked" : ""}${isCurrent ? " log-row-current" : ""}`}
      data-offset={row.offset}
    >
      {/* Numbers and times are drawn by the style sheet: neither copied nor searched by the browser. */}
      <span className="log-row-number" data-number={number ?? undefined} title={say("linkLine")} />
      {after !== undefined && by !== undefined && (
        <span
          className="log-row-time"
          data-time={CLOCK.format(by * 1000)}
          title={say("writtenBetween", {
            from: formatExact(after, language),
            to: formatExact(by, language),
          })}
        />
      )}
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
