import { Link } from "@tanstack/react-router";
import { Tag } from "antd";
import { useMe } from "@/app/session";
import type { JobDetail, JobState } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { isInQueue } from "@/lib/jobStates";
import { useVocabulary } from "@/lib/vocabulary-words";
import { NotifyOffer } from "@/ui/job/NotifyOffer";
import { StateTag } from "@/ui/job/StateTag";
import { PageHeader } from "@/ui/page/PageHeader";
import type { TabMark } from "@/ui/page/useTabTitle";
import { Ago, Lasting } from "@/ui/value/Time";
import { JobActions } from "./actions/JobActions";
import { OnNodes } from "./OnNodes";
import { words } from "./words";

const MOST_NODES = 4;
const MARKS: Partial<Record<JobState, TabMark>> = {
  starting: "running",
  running: "running",
  stopping: "running",
  succeeded: "good",
  failed: "bad",
  cancelled: "bad",
};

/** What it is, how it stands in one sentence, and what can be done. */
export function JobHeader({ detail, mayAct }: { detail: JobDetail; mayAct: boolean }) {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const { name: me } = useMe();
  const { job, message } = detail;
  const isTask = job.index !== null && job.index !== undefined;
  return (
    <PageHeader
      tab={`${job.ref} ${job.name} · ${vocabulary(`state.${job.state}`)}`}
      mark={MARKS[job.state]}
      title={
        <span className="job-title">
          <span>
            <span className="job-title-ref mono">{job.ref}</span>
            {job.name || say("job", { ref: job.ref })}
          </span>
          <StateTag state={job.state} unreachable={job.unreachable_since != null} />
          {job.urgent && <Tag color="volcano">{say("urgent")}</Tag>}
        </span>
      }
      note={
        <>
          <p className="job-message">{message}</p>
          <p className="job-strip">
            <span>{job.owner}</span>
            {isTask && (
              <Link to="/jobs/$ref" params={{ ref: String(job.id) }}>
                {say("partOf", { ref: job.id })}
              </Link>
            )}
            <span>
              {say("eventSubmitted")} <Ago at={job.submitted_at} />
            </span>
            {!isInQueue(job.state) && job.node && (
              <span>
                <OnNodes job={job} most={MOST_NODES} />
              </span>
            )}
            {job.unreachable_since != null && (
              <span>
                {say("unreachableFor")} <Lasting from={job.unreachable_since} />
              </span>
            )}
            {job.started_at != null && (
              <span>
                {say(job.ended_at != null ? "ran" : "runsFor")}{" "}
                <Lasting from={job.started_at} to={job.ended_at} />
              </span>
            )}
            {job.owner === me && !isTask && job.ended_at == null && <NotifyOffer />}
          </p>
        </>
      }
      actions={mayAct && <JobActions detail={detail} />}
    />
  );
}
