import type { AuditRow } from "@/lib/api/schema";
import { formatExact } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { changesOf, detailsOf } from "./change";
import { words } from "./words";
import "@/ui/value/FactTable.css";

const WAYS = ["session", "token", "local", "sign-in", "server"] as const;
type Way = (typeof WAYS)[number];

export function AuditTable({ entries }: { entries: readonly AuditRow[] }) {
  const say = useWords(words);
  return (
    <div className="fact-table-frame audit-table">
      <table className="fact-table fact-table-lines">
        <thead>
          <tr>
            {(["when", "who", "action", "object", "change", "from"] as const).map((column) => (
              <th key={column} scope="col">
                {say(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Entry({ entry }: { entry: AuditRow }) {
  const say = useWords(words);
  const language = useLanguage();
  const way = WAYS.includes(entry.via as Way) ? say(`via_${entry.via as Way}`) : entry.via;
  return (
    <tr>
      <th scope="row" className="fact-table-title">
        {formatExact(entry.at, language)}
      </th>
      <td data-label={say("who")}>{entry.actor ?? say("unknown")}</td>
      <td data-label={say("action")}>{entry.title}</td>
      <td data-label={say("object")}>
        {entry.target || <span className="soft">–</span>}{" "}
        {entry.target && <span className="soft">({entry.target_kind})</span>}
      </td>
      <td data-label={say("change")}>
        <Change entry={entry} />
      </td>
      <td data-label={say("from")}>
        {entry.address} <span className="soft">({way})</span>
      </td>
    </tr>
  );
}

function Change({ entry }: { entry: AuditRow }) {
  const changes = changesOf(entry);
  const details = detailsOf(entry);
  if (changes.length === 0 && details.length === 0) return <span className="soft">–</span>;
  return (
    <ul className="audit-change">
      {changes.map(({ name, before, after }) => (
        <li key={name}>
          {name && `${name}: `}
          <del>{before}</del> → <ins>{after}</ins>
        </li>
      ))}
      {details.map(([name, value]) => (
        <li key={name} className="soft">
          {name}: {value}
        </li>
      ))}
    </ul>
  );
}
