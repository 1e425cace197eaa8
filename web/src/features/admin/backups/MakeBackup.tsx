import { Alert, Button, Checkbox, Spin } from "antd";
import { useState } from "react";
import { ApiError } from "@/lib/api/client";
import type { BackupRow } from "@/lib/api/schema";
import { formatBytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Section } from "../Section";
import { makeBackup, stopBackup, useBackupRun } from "./run";
import { words } from "./words";

export function MakeBackup() {
  const say = useWords(words);
  const [withLogs, setWithLogs] = useState(false);
  const run = useBackupRun();
  const isGoing = run.state === "going";
  return (
    <Section title={say("make")} hint={say("makeHint")}>
      <p className="admin-hint">{say("secrets")}</p>
      <Checkbox checked={withLogs} disabled={isGoing} onChange={({ target }) => setWithLogs(target.checked)}>
        {say("withLogs")}
        <span className="admin-policy-hint soft">{say("withLogsHint")}</span>
      </Checkbox>
      <div className="admin-buttons">
        {isGoing ? (
          <Button onClick={stopBackup}>{say("stop")}</Button>
        ) : (
          <Button type="primary" onClick={() => void makeBackup(withLogs)}>
            {say("begin")}
          </Button>
        )}
        <span role="status">
          {isGoing && (
            <>
              <Spin size="small" /> {say("going", { size: formatBytes(run.bytes) })}
            </>
          )}
          {run.state === "stopped" && say("stopped")}
        </span>
      </div>
      {isGoing && <p className="admin-hint admin-below soft">{say("goingHint")}</p>}
      <Outcome />
    </Section>
  );
}

function Outcome() {
  const say = useWords(words);
  const run = useBackupRun();
  if (run.state === "failed")
    return <ErrorNotice error={run.error instanceof ApiError ? run.error : new Error(say("brokenOff"))} />;
  if (run.state !== "done") return null;
  return (
    <>
      <Alert
        type="success"
        showIcon
        role="status"
        title={say("done", { file: run.file, size: formatBytes(run.bytes) })}
      />
      {run.leftOut.length > 0 && <LeftOut rows={run.leftOut} />}
    </>
  );
}

function LeftOut({ rows }: { rows: BackupRow["left_out"] }) {
  const say = useWords(words);
  const count = rows.reduce((sum, { files }) => sum + files, 0);
  return (
    <Alert
      type="warning"
      showIcon
      title={say("leftOut", { count })}
      description={
        <ul className="admin-list">
          {rows.map(({ node, reason, files, first }) => (
            <li key={`${node} ${reason}`}>{say(`left_${reason}`, { node, files, first })}</li>
          ))}
        </ul>
      }
    />
  );
}
