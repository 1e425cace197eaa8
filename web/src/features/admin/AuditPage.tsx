import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Button } from "antd";
import { API_ROOT } from "@/lib/api/client";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { PageHeader } from "@/ui/page/PageHeader";
import { AuditFilters } from "./audit/AuditFilters";
import { AuditTable } from "./audit/AuditTable";
import { type AuditSearch, filterOf } from "./audit/address";
import { actionsQuery, auditQuery } from "./audit/queries";
import { words } from "./audit/words";
import "./audit/audit.css";

export default function AuditPage() {
  const say = useWords(words);
  const search: AuditSearch = useSearch({ from: "/admin/audit" });
  const navigate = useNavigate();
  const { data: actions = [] } = useQuery(actionsQuery);
  const found = useInfiniteQuery(auditQuery(search));
  const entries = found.data?.pages.flatMap((page) => page.entries);
  const isNarrowed = Object.keys(search).length > 0;

  function narrow(next: AuditSearch) {
    void navigate({ to: "/admin/audit", search: next, replace: true });
  }

  return (
    <>
      <PageHeader title={say("audit")} note={say("note")} actions={<Exports search={search} />} />
      <AuditFilters search={search} actions={actions} onChange={narrow} />
      {!entries ? (
        found.error ? (
          <ErrorNotice error={found.error} retry={() => void found.refetch()} />
        ) : (
          <Loading lines={8} />
        )
      ) : entries.length === 0 ? (
        <Nothing
          title={say(isNarrowed ? "noMatch" : "none")}
          hint={say(isNarrowed ? "noMatchHint" : "noneHint")}
          action={isNarrowed && <Button onClick={() => narrow({})}>{say("clear")}</Button>}
        />
      ) : (
        <AuditTable entries={entries} />
      )}
      {found.hasNextPage && (
        <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {say("older")}
        </Button>
      )}
    </>
  );
}

function Exports({ search }: { search: AuditSearch }) {
  const say = useWords(words);
  const link = (format: string) => {
    const said = Object.entries({ ...filterOf(search), format }).map(([name, value]) => [
      name,
      String(value),
    ]);
    return `${API_ROOT}/audit/export?${new URLSearchParams(said)}`;
  };
  return (
    <span className="audit-exports">
      <Button href={link("csv")} download>
        {say("csv")}
      </Button>
      <Button href={link("jsonl")} download>
        {say("jsonLines")}
      </Button>
    </span>
  );
}
