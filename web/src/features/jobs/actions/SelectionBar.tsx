import { CloseOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useMe } from "@/app/session";
import { answer, api } from "@/lib/api/client";
import type { JobState } from "@/lib/api/schema";
import { formatNumber } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import type { AreaName, JobsSearch } from "../address";
import type { JobPages } from "../pages/useJobPages";
import { countYours, mayTouch, offers } from "../selection/selection";
import type { Selection } from "../selection/useSelection";
import { words } from "../words";
import type { ActOnJobs } from "./useJobActions";
import "./SelectionBar.css";

interface SelectionBarProps {
  search: JobsSearch & { area: AreaName };
  pages: JobPages;
  selection: Selection;
  actions: ActOnJobs;
}

/** What can be done with the chosen jobs. It lies over the page, so that nothing moves when it comes. */
export function SelectionBar({ search, pages, selection, actions }: SelectionBarProps) {
  const say = useWords(words);
  const language = useLanguage();
  const { jobs, gone, whole } = selection;
  const matching = useMatching(search, pages, selection);
  if (jobs.length === 0 && !whole) return null;
  const count = formatNumber(jobs.length, language);
  const total = matching ? formatNumber(countYours(matching), language) : "";
  const states = whole ? (Object.keys(whole.yours) as JobState[]) : jobs.map(({ state }) => state);
  const said = whole
    ? say("wholeSelected", { total: formatNumber(countYours(whole), language) })
    : matching
      ? say("selectedOf", { count, total })
      : say("selected", { count });
  return (
    <section className="selection-bar" aria-label={say("selectionBar")}>
      <Button
        type="text"
        icon={<CloseOutlined />}
        aria-label={say("clearSelection")}
        onClick={selection.clear}
      />
      <div className="selection-count" role="status">
        <b className="number">{said}</b>
        {gone > 0 && !whole && <span className="soft">{say("selectedGone", { count: gone })}</span>}
      </div>
      {matching && !whole && (
        <Button type="link" onClick={() => selection.chooseWhole(matching)}>
          {say("selectWhole", { total })}
        </Button>
      )}
      <div className="selection-actions">
        {offers(search.area, states).map(({ action, apt }) => (
          <Button
            key={action}
            danger={action === "cancel" || action === "delete"}
            disabled={!apt && (gone === 0 || whole !== null)}
            loading={actions.busy}
            onClick={() => actions.ask(action, jobs, whole ? { search, matching: whole } : undefined)}
          >
            {say(action)}
          </Button>
        ))}
      </div>
    </section>
  );
}

/** How many match in all, once everything that is loaded is chosen and there is more. */
function useMatching(search: JobsSearch, pages: JobPages, { chosen }: Selection) {
  const me = useMe();
  const { sort, ...query } = search;
  const able = pages.rows.filter((row) => mayTouch(me, row));
  const isAll = pages.hasMore && able.length > 0 && able.every(({ ref }) => chosen.has(ref));
  const { data } = useQuery({
    queryKey: ["bulk-actions", "matching", query, isAll],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/bulk-actions/matching", { params: { query }, signal })),
    enabled: isAll,
    gcTime: 0,
  });
  return isAll && data && countYours(data) > chosen.size ? data : null;
}
