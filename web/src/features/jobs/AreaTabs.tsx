import { Link } from "@tanstack/react-router";
import { formatNumber } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { AREAS, inArea, type JobsSearch } from "./address";
import { words } from "./words";
import "./AreaTabs.css";

interface AreaTabsProps {
  search: JobsSearch;
  counts: Readonly<Record<string, number>> | undefined;
  /** False: there are at least so many. */
  exact: boolean;
}

/** The three areas. They are links: each can be opened elsewhere, shared, and gone back to. */
export function AreaTabs({ search, counts, exact }: AreaTabsProps) {
  const say = useWords(words);
  const language = useLanguage();
  return (
    <nav className="area-tabs" aria-label={say("areas")}>
      {AREAS.map((area) => {
        const count = counts?.[area];
        const number = count === undefined ? "" : formatNumber(count, language);
        return (
          <Link
            key={area}
            to="/jobs"
            search={inArea(search, area)}
            className={search.area === area ? "area-tab area-tab-here" : "area-tab"}
            aria-current={search.area === area ? "page" : undefined}
          >
            {say(area)}
            <b className="number">{exact || !count ? number : say("atLeast", { count: number })}</b>
          </Link>
        );
      })}
    </nav>
  );
}
