import { formatExact } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { words } from "../words";
import { shortTime } from "./shortTime";

/** When something that goes on began: the time of day, with the date where that was another day. */
export function Since({ at }: { at: number | null | undefined }) {
  const say = useWords(words);
  const language = useLanguage();
  if (at === null || at === undefined) return null;
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={formatExact(at, language)}>
      {say("since", { time: shortTime(at, Date.now() / 1000, language) })}
    </time>
  );
}
