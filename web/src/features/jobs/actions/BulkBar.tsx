import { Button, Progress } from "antd";
import type { BulkRow } from "@/lib/api/schema";
import { formatNumber } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import { words } from "../words";
import type { BulkProgress } from "./useBulkAction";
import "./SelectionBar.css";

/** How far a wish for all that match is, and what came of it. It stays until the user has read it. */
export function BulkBar({ bulk }: { bulk: BulkProgress }) {
  const say = useWords(words);
  const { act, busy } = useAct();
  const { row, lost } = bulk;
  if (!row && !lost) return null;
  return (
    <section className="selection-bar bulk-bar" aria-label={say("bulk")}>
      {lost && (
        <div role="alert">
          <b>{lost.message}</b>
          <p className="soft">{lost.problem.hint}</p>
        </div>
      )}
      {row && (row.state === "running" ? <Doing row={row} /> : <Done row={row} />)}
      <div className="selection-actions">
        {row?.state === "running" && (
          <Button loading={busy} onClick={() => void act(bulk.stop)}>
            {say("bulkStop")}
          </Button>
        )}
        {row?.undoable && row.undoes == null && (
          <Button loading={busy} onClick={() => void act(bulk.undo)}>
            {say("bulkUndo")}
          </Button>
        )}
        {row?.state !== "running" && <Button onClick={bulk.dismiss}>{say("bulkClose")}</Button>}
      </div>
    </section>
  );
}

function Doing({ row }: { row: BulkRow }) {
  const say = useWords(words);
  const language = useLanguage();
  const { action, total } = row;
  const tried = row.done + row.refused;
  const shown = { done: formatNumber(tried, language), total: formatNumber(total ?? 0, language) };
  return (
    <div className="bulk-doing">
      <b role="status">{total == null ? say("bulkCounting") : say(`${action}Doing`, shown)}</b>
      <Progress
        percent={total ? Math.floor((tried / total) * 100) : 0}
        showInfo={false}
        aria-label={say("bulk")}
      />
    </div>
  );
}

function Done({ row }: { row: BulkRow }) {
  const say = useWords(words);
  const language = useLanguage();
  const shown = (count: number) => formatNumber(count, language);
  const left = (row.total ?? 0) - row.done - row.refused;
  const parts = [
    say(`${row.action}Done`, { count: shown(row.done) }),
    ...(row.refused ? [say("refused", { count: shown(row.refused) })] : []),
    ...(row.skipped ? [say("bulkSkipped", { count: shown(row.skipped) })] : []),
    ...(row.state === "stopped" && left ? [say("bulkStopped", { count: shown(left) })] : []),
  ];
  return (
    <div role="status">
      <b>{parts.join(say("listComma"))}</b>
      {row.problem && <p>{row.problem.message}</p>}
      {row.refused > 0 && (
        <ul className="bulk-refusals">
          {row.refusals?.map(({ code, count, refs, message }) => (
            <li key={code}>
              {say("bulkRefusal", { count: shown(count), message })}{" "}
              <span className="mono soft">{refs.join(", ") + (count > refs.length ? " …" : "")}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
