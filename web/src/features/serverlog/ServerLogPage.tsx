import { LockOutlined } from "@ant-design/icons";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Button, Result } from "antd";
import { useState } from "react";
import { useMe } from "@/app/session";
import type { ServerLogEntry } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useLive } from "@/lib/live/Live";
import { Mark } from "@/ui/look/Mark";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { PageHeader } from "@/ui/page/PageHeader";
import type { Level } from "./address";
import { EntryList } from "./EntryList";
import { writeEntries } from "./entries";
import { LogTools } from "./LogTools";
import { useServerLog } from "./useServerLog";
import { words } from "./words";
import "./serverlog.css";

export default function ServerLogPage() {
  const me = useMe();
  // Rights may come and go while the page is open: the setting is told like anything else.
  return me.may_read_server_log ? <OpenLog /> : <ClosedLog />;
}

function ClosedLog() {
  const say = useWords(words);
  return (
    <>
      <PageHeader title={say("title")} />
      <Result
        icon={<LockOutlined />}
        title={say("closedTitle")}
        subTitle={say("closedHint")}
        extra={
          <Link to="/jobs" search={{ mine: true }}>
            {say("toJobs")}
          </Link>
        }
      />
    </>
  );
}

function OpenLog() {
  const say = useWords(words);
  const { level = "info", text = "" } = useSearch({ from: "/server-log" });
  const navigate = useNavigate({ from: "/server-log" });
  const log = useServerLog({ level, text });
  const isLive = useLive().connection === "open";
  const [frozen, setFrozen] = useState<readonly ServerLogEntry[] | null>(null);
  const shown = frozen ?? log.entries;
  const missed = frozen && log.entries ? newerThan(log.entries, frozen.at(-1)?.id ?? 0) : 0;

  function filter(chosen: Level, wanted: string) {
    setFrozen(null);
    const search = { ...(chosen === "info" ? {} : { level: chosen }), ...(wanted ? { text: wanted } : {}) };
    void navigate({ search, replace: true });
  }

  return (
    <div className="server-log">
      <PageHeader
        title={say("title")}
        note={
          <Mark tone={frozen ? "idle" : isLive ? "free" : "foreign"}>
            {say(frozen ? "paused" : isLive ? "live" : "notLive")}
          </Mark>
        }
      />
      <LogTools
        level={level}
        text={text}
        onFilter={filter}
        paused={frozen !== null}
        missed={missed}
        onPause={(paused) => setFrozen(paused ? (log.entries ?? []) : null)}
        copied={() => writeEntries(shown ?? [])}
      />
      {log.error ? (
        <ErrorNotice error={log.error} retry={log.retry} />
      ) : !shown ? (
        <Loading lines={12} />
      ) : shown.length === 0 ? (
        <Nothing
          title={say("nothing")}
          hint={say("nothingHint")}
          action={<Button onClick={() => filter("debug", "")}>{say("clearFilters")}</Button>}
        />
      ) : (
        // A list of its own for each filter: it begins at its newest.
        <EntryList key={log.filter} entries={shown} more={log.more && !frozen} loadOlder={log.loadOlder} />
      )}
    </div>
  );
}

function newerThan(entries: readonly ServerLogEntry[], id: number): number {
  return entries.length - 1 - entries.findLastIndex((entry) => entry.id <= id);
}
