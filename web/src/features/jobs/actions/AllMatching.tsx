import { formatNumber } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { countYours } from "../selection/selection";
import { words } from "../words";
import type { Whole, Wish } from "./useJobActions";

/** What a wish for all that match is about: the filter in words, and who is left out. */
export function AllMatching({ wish, whole }: { wish: Wish; whole: Whole }) {
  const say = useWords(words);
  const language = useLanguage();
  const { matching } = whole;
  const yours = countYours(matching);
  const others = matching.total - yours;
  const unsuited = yours - countYours(matching, wish.action);
  const shown = (count: number) => formatNumber(count, language);
  return (
    <>
      <div className="action-jobs">
        <b>{say("allThatMatch")}</b>
        <ul>
          {useFilterWords(whole.search).map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      </div>
      {others > 0 && <p>{say("wholeOthers", { count: shown(others) })}</p>}
      {unsuited > 0 && <p>{say("wholeUnsuited", { count: shown(unsuited) })}</p>}
      <p>{say("wholeLater")}</p>
    </>
  );
}

function useFilterWords({ area, search, owner, mine, state, end_reason, tag }: Whole["search"]): string[] {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  return [
    say("table", { area: say(area) }),
    ...(mine ? [say("filterMine")] : owner ? [say("filterOwner", { owner })] : []),
    ...(state ? [say("filterState", { state: vocabulary(`state.${state}`) })] : []),
    ...(end_reason ? [say("filterReason", { reason: vocabulary(`end.${end_reason}`) })] : []),
    ...(tag ? [say("filterTag", { tag })] : []),
    ...(search ? [say("filterText", { text: search })] : []),
  ];
}
