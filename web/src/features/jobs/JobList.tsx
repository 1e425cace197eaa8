import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo } from "react";
import type { JobListQuery } from "@/lib/api/queries";
import { formatNumber } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { ActionDialog } from "./ActionDialog";
import { AreaTabs } from "./AreaTabs";
import { type AreaName, isWholeLine, type JobsSearch, readJobsSearch, withoutFilters } from "./address";
import { BulkBar } from "./BulkBar";
import { useCompactRows } from "./density";
import { EmptyList } from "./EmptyList";
import { Filters } from "./Filters";
import { ForeignProcesses } from "./ForeignProcesses";
import { JobGrid } from "./JobGrid";
import { ListSkeleton } from "./ListSkeleton";
import { SelectionBar } from "./SelectionBar";
import { useBulkAction } from "./useBulkAction";
import { useJobActions } from "./useJobActions";
import { useJobPages } from "./useJobPages";
import { useSelection } from "./useSelection";
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
          isLine={isWholeLine(search)}
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
