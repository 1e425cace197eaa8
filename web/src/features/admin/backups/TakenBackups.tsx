import { useQuery } from "@tanstack/react-query";
import { formatBytes, formatExact } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { Ago } from "@/ui/value/Time";
import { Section } from "../Section";
import { backupsQuery } from "./queries";
import { words } from "./words";
import "@/ui/value/FactTable.css";

export function TakenBackups() {
  const say = useWords(words);
  const language = useLanguage();
  const { data: taken, error, refetch } = useQuery(backupsQuery);
  return (
    <Section title={say("taken")} hint={say("takenHint")}>
      {!taken ? (
        error ? (
          <ErrorNotice error={error} retry={() => void refetch()} />
        ) : (
          <Loading lines={3} />
        )
      ) : taken.length === 0 ? (
        <Nothing title={say("none")} hint={say("noneHint")} />
      ) : (
        <div className="fact-table-frame">
          <table className="fact-table fact-table-lines">
            <thead>
              <tr>
                {(["when", "by", "size", "holds"] as const).map((column) => (
                  <th key={column} scope="col">
                    {say(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {taken.map(({ at, by, bytes, with_logs, left_out }) => (
                <tr key={at}>
                  <th scope="row" className="fact-table-title">
                    {formatExact(at, language)}{" "}
                    <span className="soft">
                      (<Ago at={at} />)
                    </span>
                  </th>
                  <td data-label={say("by")}>{by}</td>
                  <td data-label={say("size")}>{formatBytes(bytes)}</td>
                  <td data-label={say("holds")}>
                    {say(with_logs ? "dataAndLogs" : "data")}
                    {left_out > 0 && <>, {say("missing", { count: left_out })}</>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
