import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo } from "react";
import type { JobListQuery } from "@/lib/api/queries";
import { formatNumber } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { AreaTabs } from "./AreaTabs";
import { ActionDialog } from "./actions/ActionDialog";
import { BulkBar } from "./actions/BulkBar";
import { SelectionBar } from "./actions/SelectionBar";
import { useBulkAction } from "./actions/useBulkAction";
import { useJobActions } from "./actions/useJobActions";
import { type AreaName, isWholeQueue, type JobsSearch, readJobsSearch, withoutFilters } from "./address";
import { useCompactRows } from "./density";
import { EmptyList } from "./EmptyList";
import { Filters } from "./filters/Filters";
import { ForeignProcesses } from "./foreign/ForeignProcesses";
import { JobGrid } from "./grid/JobGrid";
import { ListSkeleton } from "./ListSkeleton";
import { useJobPages } from "./pages/useJobPages";
import { useSelection } from "./selection/useSelection";
import { words } from "./words";

export function JobList({ search }: { search: JobsSearch & { area: AreaName } }) {
  const say = useWords(words);
  const language = useLanguage();
  const navigate = useNavigate({ from: "/jobs" });
  const { area } = search;
  const asked = JSON.stringify(search);
  const query = useMemo<JobListQuery>(() => JSON.parse(asked), [asked]);
  const pages = useJobPages(query);
  const { rows, error, retry } = pages;
  const selection = useSelection(rows);
  const { clear } = selection;
  const [compact, chooseCompact] = useCompactRows();
  const bulk = useBulkAction();
  const actions = useJobActions(clear, bulk);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen belongs to the list that was asked for.
  useEffect(() => clear(), [asked, clear]);

  // Laid over what the address says by then: two quick choices must not undo each other.
  const change = useCallback(
    (wanted: JobsSearch, replace = true) =>
      void navigate({ to: "/jobs", search: (now) => readJobsSearch({ ...now, ...wanted }), replace }),
    [navigate],
  );
  const clearFilters = () => void navigate({ to: "/jobs", search: withoutFilters, replace: true });
  const owners = useMemo(() => [...new Set(rows.map(({ owner }) => owner))], [rows]);
  return (
    <>
      <AreaTabs search={search} counts={pages.counts} exact={pages.exact} />
      <Filters
        key={area}
        area={area}
        search={search}
        owners={owners}
        compact={compact}
        onCompact={chooseCompact}
        onChange={change}
        onClear={clearFilters}
      />
      {error && <ErrorNotice error={error} retry={retry} />}
      {rows.length > 0 ? (
        <JobGrid
          key={area}
          area={area}
          pages={pages}
          selection={selection}
          isQueue={isWholeQueue(search)}
          compact={compact}
          onAct={actions.ask}
          onOwner={(owner) => change({ owner, mine: undefined }, false)}
        />
      ) : pages.isPending ? (
        <ListSkeleton />
      ) : (
        !error && <EmptyList search={search} counts={pages.counts} onClear={clearFilters} />
      )}
      {rows.length > 0 && (
        <div className="jobs-foot">
          {pages.hasMore
            ? say("loadingMore")
            : say("shownAll", { count: rows.length, shown: formatNumber(rows.length, language) })}
        </div>
      )}
      {area === "running" && <ForeignProcesses />}
      <BulkBar bulk={bulk} />
      <SelectionBar search={search} pages={pages} selection={selection} actions={actions} />
      <ActionDialog actions={actions} />
    </>
  );
}
