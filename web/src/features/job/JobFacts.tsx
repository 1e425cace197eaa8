import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { JobDetail } from "@/lib/api/schema";
import { useNow } from "@/lib/clock";
import { formatDuration } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { useEnd } from "@/lib/jobEnd";
import { isInQueue } from "@/lib/jobStates";
import { isUsual, PLAIN_NAMES } from "@/lib/plainFields";
import { writeDuration } from "@/lib/quantities";
import { useVocabulary } from "@/lib/vocabulary-words";
import { Ago, Lasting } from "@/ui/value/Time";
import { useAsk } from "./actions/useAsk";
import { OnNodes } from "./OnNodes";
import { Panel } from "./Panel";
import { words } from "./words";

type Fact = [label: string, value: ReactNode];

/** What it asked for and got, and when. */
export function JobFacts({ detail }: { detail: JobDetail }) {
  const say = useWords(words);
  const name = useVocabulary();
  const { job, fields } = detail;
  const isWaiting = isInQueue(job.state);
  const facts: Fact[] = [[say("asks"), useAsk(detail)]];
  if (Object.keys(job.tags ?? {}).length > 0)
    facts.push([name("label.tags"), <TagLinks key="tags" tags={job.tags ?? {}} />]);
  if (detail.auto) facts.push([name("label.auto"), detail.auto]);
  if (!isWaiting && job.node)
    facts.push([say(job.ended_at != null ? "gotPast" : "got"), <OnNodes key="placed" job={job} />]);
  for (const what of detail.not_held_to ?? [])
    facts.push([say(`notHeldTo.${what}`), <span className="soft">{say("notHeldTo")}</span>]);
  if (job.place != null)
    facts.push([say("place"), <span className="number">{say("placeOf", { place: job.place })}</span>]);
  if (detail.not_before != null)
    facts.push([name("label.not_before"), <Ago key="not_before" at={detail.not_before} />]);
  facts.push([name("label.submitted"), <Ago key="submitted" at={job.submitted_at} />]);
  if (isWaiting) facts.push([say("waitsSince"), <Lasting key="waits" from={job.submitted_at} />]);
  if (job.started_at != null) {
    facts.push([
      name("label.started"),
      <span key="started">
        <Ago at={job.started_at} />
      </span>,
    ]);
    facts.push([
      say(job.ended_at != null ? "ran" : "runsFor"),
      <Lasting key="ran" from={job.started_at} to={job.ended_at} />,
    ]);
  }
  if (job.ended_at != null) facts.push([name("label.ended"), <Ago key="ended" at={job.ended_at} />]);
  const end = useEnd()(job.end_reason ?? null, job.exit_code ?? null, job.signal ?? null);
  if (end && job.ended_at != null) facts.push([say("exit"), end]);
  if (job.attempt > 0 && !job.array) {
    const retries = fields?.retries ?? 0;
    const facts_ = { number: job.attempt, used: detail.retries_used, retries };
    facts.push([say("attempt"), say(retries > 0 ? "attemptOf" : "attemptNumber", facts_)]);
  }
  if (fields?.time_limit_s) {
    facts.push([
      say("timeLimit"),
      <TimeLimit key="limit" limit={fields.time_limit_s} from={job.started_at} to={job.ended_at} />,
    ]);
  }
  if (fields) facts.push(...ownFacts(fields, name, say("noEnvironment")));
  return (
    <Panel title={say("facts")} kind="facts">
      {fields?.description && <p className="job-description">{fields.description}</p>}
      <dl className="job-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Each leads to the list of jobs that have it too. */
function TagLinks({ tags }: { tags: Record<string, string> }) {
  return Object.entries(tags).map(([key, value]) => (
    <Link key={key} className="job-tag" to="/jobs" search={{ tag: `${key}=${value}` }}>
      {key}={value}
    </Link>
  ));
}

function ownFacts(
  fields: NonNullable<JobDetail["fields"]>,
  name: ReturnType<typeof useVocabulary>,
  none: string,
): Fact[] {
  const path = (text: string) => <span className="mono">{text}</span>;
  const facts: Fact[] = [];
  if (fields.directory) facts.push([name("label.directory"), path(fields.directory)]);
  facts.push([
    name("label.environment"),
    fields.environment ? path(fields.environment) : <span className="soft">{none}</span>,
  ]);
  if (fields.launcher && fields.launcher !== "plain")
    facts.push([name("label.launcher"), path(fields.launcher)]);
  if (fields.only_nodes?.length) facts.push([name("label.only_nodes"), fields.only_nodes.join(", ")]);
  if (fields.exclude_nodes?.length)
    facts.push([name("label.exclude_nodes"), fields.exclude_nodes.join(", ")]);
  if (fields.stage?.length) facts.push([name("label.stage"), path(fields.stage.join(", "))]);
  if (fields.array) facts.push([name("label.array"), path(fields.array)]);
  if (fields.stdout) facts.push([name("label.stdout"), path(fields.stdout)]);
  if (fields.stderr) facts.push([name("label.stderr"), path(fields.stderr)]);
  for (const field of PLAIN_NAMES) {
    const value = fields[field] ?? null;
    if (field !== "tags" && value !== null && !isUsual(field, value))
      facts.push([name(`label.${field}`), String(value)]);
  }
  if (fields.gpu_arg) facts.push([name("label.gpu_arg"), path(fields.gpu_arg)]);
  return facts;
}

function TimeLimit({ limit, from, to }: { limit: number; from?: number | null; to?: number | null }) {
  const say = useWords(words);
  const now = useNow();
  if (from == null || to != null) return <span className="number">{writeDuration(limit)}</span>;
  const left = Math.max(0, limit - (now - from));
  return (
    <span className="number">
      {say("timeLeft", { left: formatDuration(left), limit: writeDuration(limit) })}
    </span>
  );
}
