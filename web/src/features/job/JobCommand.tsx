import { EyeInvisibleOutlined, EyeOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { JobDetail, JobFields } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { CopyButton } from "@/ui/value/CopyButton";
import { Panel } from "./Panel";
import { words } from "./words";

/** What it runs, with what around it, and how to say the same on the command line. */
export function JobCommand({ detail, fields }: { detail: JobDetail; fields: JobFields }) {
  const say = useWords(words);
  const { ref } = detail.job;
  const { data: repeat } = useQuery({
    queryKey: [...keys.job(ref), "command"],
    queryFn: ({ signal }) =>
      answer(api.GET("/api/v1/jobs/{job_id}/command", { params: { path: { job_id: ref } }, signal })),
  });
  const [isShown, setShown] = useState(false);
  const command = fields.command ?? (fields.arguments ?? []).join(" ");
  const variables = Object.entries(fields.variables ?? {});
  return (
    <Panel title={say("command")} kind="command" extra={command && <Copy text={command} />}>
      {command && <Code text={command} label={say("command")} />}
      {variables.length > 0 && (
        <>
          <div className="job-panel-head job-panel-head-inner">
            <h3>{say("variables")}</h3>
            <Button
              className="job-copy"
              size="small"
              type="text"
              icon={isShown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
              onClick={() => setShown(!isShown)}
            >
              {say(isShown ? "hideValues" : "showValues")}
            </Button>
          </div>
          <dl className="job-variables">
            {variables.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{isShown ? value : "••••••"}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {repeat && (
        <>
          <div className="job-panel-head job-panel-head-inner">
            <h3>{say("repeat")}</h3>
            <Copy text={repeat.command_line} />
          </div>
          {variables.length > 0 && !isShown ? (
            <p className="job-code-hidden soft">{say("repeatHidden")}</p>
          ) : (
            <Code text={repeat.command_line} label={say("repeat")} />
          )}
        </>
      )}
    </Panel>
  );
}

function Copy({ text }: { text: string }) {
  return <CopyButton className="job-copy" text={text} size="small" type="text" style={{ minWidth: 0 }} />;
}

/** Text as it is. A long one scrolls, by keyboard as well. */
function Code({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="job-code" aria-label={label} tabIndex={0}>
      {text}
    </section>
  );
}
