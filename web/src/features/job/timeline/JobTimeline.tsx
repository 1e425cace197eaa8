import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
import { jobEventsQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useEnd } from "@/lib/jobEnd";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Ago } from "@/ui/value/Time";
import { Panel } from "../Panel";
import { words } from "../words";
import { type Happening, happenings, shorten } from "./timeline";

/** Everything that happened to the job, the newest last. */
export function JobTimeline({ jobRef }: { jobRef: string }) {
  const say = useWords(words);
  const { data, error, refetch } = useQuery(jobEventsQuery(jobRef));
  const [isWhole, setWhole] = useState(false);
  const { head, between, tail } = shorten(happenings(data ?? []), isWhole);
  return (
    <Panel title={say("history")} kind="timeline">
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      <ol className="job-timeline">
        {head.map((each) => (
          <Entry key={each.id} happening={each} />
        ))}
        {between > 0 && (
          <li className="job-timeline-between">
            <Button size="small" type="link" onClick={() => setWhole(true)}>
              {say("showAll", { count: between })}
            </Button>
          </li>
        )}
        {tail.map((each) => (
          <Entry key={each.id} happening={each} />
        ))}
      </ol>
    </Panel>
  );
}

function Entry({ happening: { key, facts, tone, actor, at, end } }: { happening: Happening }) {
  const say = useWords(words);
  const sayEnd = useEnd();
  const how = end && sayEnd(end.reason, end.exitCode, end.signal);
  return (
    <li>
      <i className={`job-timeline-dot job-timeline-${tone}`} aria-hidden="true" />
      <span className="job-timeline-words">
        {say(key, facts)}
        {how && <span className="soft"> · {how}</span>}
        {actor && <span className="soft"> · {say("by", { actor })}</span>}
      </span>
      <span className="job-timeline-time soft">
        <Ago at={at} />
      </span>
    </li>
  );
}
