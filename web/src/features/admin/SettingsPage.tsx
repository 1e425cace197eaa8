import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { PageHeader } from "@/ui/page/PageHeader";
import { Find } from "./Find";
import { matching } from "./settings/draft";
import { settingRowsQuery } from "./settings/queries";
import { SettingLine } from "./settings/SettingLine";
import { SettingsHistory } from "./settings/SettingsHistory";
import { words } from "./settings/words";
import "./settings/settings.css";

export default function SettingsPage() {
  const say = useWords(words);
  const { data: rows, error, refetch } = useQuery(settingRowsQuery);
  const [text, setText] = useState("");
  const shown = matching(rows ?? [], text);
  return (
    <>
      <PageHeader title={say("settings")} note={say("note")} />
      <Find label={say("find")} text={text} onText={setText} />
      {!rows ? (
        error ? (
          <ErrorNotice error={error} retry={() => void refetch()} />
        ) : (
          <Loading lines={10} />
        )
      ) : shown.length === 0 ? (
        <Nothing
          title={say("nothing")}
          hint={say("nothingHint")}
          action={<Button onClick={() => setText("")}>{say("clearFind")}</Button>}
        />
      ) : (
        <ul className="settings" aria-label={say("list")}>
          {shown.map((row) => (
            <SettingLine key={row.name} row={row} />
          ))}
        </ul>
      )}
      {rows && <SettingsHistory />}
    </>
  );
}
