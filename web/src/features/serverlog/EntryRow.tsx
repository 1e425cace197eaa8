import type { ServerLogEntry } from "@/lib/api/schema";
import { formatExact } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { showTime } from "./entries";
import { words } from "./words";

/** One entry: when, how grave (a word and a colour), who says it, what. */
export function EntryRow({ entry, now }: { entry: ServerLogEntry; now: number }) {
  const say = useWords(words);
  const language = useLanguage();
  return (
    <div className={`serverlog-entry serverlog-entry-${entry.level}`}>
      <time
        className="serverlog-entry-time"
        dateTime={new Date(entry.at * 1000).toISOString()}
        title={formatExact(entry.at, language)}
      >
        {showTime(entry.at, now)}
      </time>
      <span className="serverlog-entry-level">{say(entry.level)}</span>
      <span className="serverlog-entry-source" title={entry.source}>
        {entry.source.replace(/^danlu\./, "")}
      </span>
      <span className="serverlog-entry-text">{entry.text}</span>
    </div>
  );
}
