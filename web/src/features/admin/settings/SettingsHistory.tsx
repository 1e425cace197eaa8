import { useInfiniteQuery } from "@tanstack/react-query";
import { App, Button } from "antd";
import { ApiError, answer, api } from "@/lib/api/client";
import type { SettingChangeRow } from "@/lib/api/schema";
import { formatExact } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { changesOf } from "../audit/change";
import { Section } from "../Section";
import { useAttempt } from "../useAttempt";
import { settingsHistoryQuery } from "./queries";
import { words } from "./words";
import "@/ui/value/FactTable.css";
import "../audit/audit.css";

/** Who changed which setting, from what to what; each change can be taken back. */
export function SettingsHistory() {
  const say = useWords(words);
  const found = useInfiniteQuery(settingsHistoryQuery);
  const changes = found.data?.pages.flatMap((page) => page.changes);
  const { busy, error, attempt } = useAttempt();
  const { modal } = App.useApp();

  async function undo(row: SettingChangeRow, force: boolean) {
    const body = { change: row.id, force };
    await attempt(async () => {
      try {
        await answer(api.POST("/api/v1/settings/undo", { body }));
      } catch (problem) {
        if (!(problem instanceof ApiError) || problem.code !== "setting_changed_since") throw problem;
        ask(row, problem.message);
      }
    });
  }

  /** With a reason against it, it is done all the same. */
  function ask(row: SettingChangeRow, reason?: string) {
    modal.confirm({
      title: reason ?? say("undoQuestion"),
      content: <Values row={{ before: row.after, after: row.before }} />,
      okText: say(reason ? "undoAnyway" : "undo"),
      cancelText: say("keep"),
      onOk: () => void undo(row, reason !== undefined),
    });
  }

  return (
    <Section title={say("history")} hint={say("historyHint")}>
      {error !== null && <ErrorNotice error={error} />}
      {!changes ? (
        found.error ? (
          <ErrorNotice error={found.error} retry={() => void found.refetch()} />
        ) : (
          <Loading lines={3} />
        )
      ) : changes.length === 0 ? (
        <Nothing title={say("noChanges")} hint={say("noChangesHint")} />
      ) : (
        <ChangeTable changes={changes} busy={busy} onUndo={(row) => ask(row)} />
      )}
      {found.hasNextPage && (
        <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {say("olderChanges")}
        </Button>
      )}
    </Section>
  );
}

interface ChangeTableProps {
  changes: readonly SettingChangeRow[];
  busy: boolean;
  onUndo: (row: SettingChangeRow) => void;
}

function ChangeTable({ changes, busy, onUndo }: ChangeTableProps) {
  const say = useWords(words);
  const language = useLanguage();
  return (
    <div className="fact-table-frame">
      <table className="fact-table fact-table-lines">
        <thead>
          <tr>
            {(["when", "by", "change", "undo"] as const).map((column) => (
              <th key={column} scope="col">
                {say(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map((row) => (
            <tr key={row.id}>
              <th scope="row" className="fact-table-title">
                {formatExact(row.at, language)}
              </th>
              <td data-label={say("by")}>{row.by}</td>
              <td data-label={say("change")}>
                <Values row={row} />
                {row.undoes !== null && <span className="soft">{say("isUndo")}</span>}
              </td>
              <td data-label={say("undo")}>
                <Button disabled={busy} onClick={() => onUndo(row)}>
                  {say("undo")}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Values({ row }: { row: Pick<SettingChangeRow, "before" | "after"> }) {
  return (
    <ul className="audit-change">
      {changesOf(row).map(({ name, before, after }) => (
        <li key={name}>
          {name}: <del>{before || "–"}</del> → <ins>{after || "–"}</ins>
        </li>
      ))}
    </ul>
  );
}
