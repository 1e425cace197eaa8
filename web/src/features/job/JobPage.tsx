import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Alert } from "antd";
import { jobQuery } from "@/lib/api/queries";
import type { JobDetail } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { isInQueue } from "@/lib/jobStates";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { isNoSuchJob, NoSuchJob } from "@/ui/page/NoSuch";
import { useTabTitle } from "@/ui/page/useTabTitle";
import { ArrayElements } from "./array/ArrayElements";
import { JobGraph } from "./graph/JobGraph";
import { JobCharts } from "./JobCharts";
import { JobCommand } from "./JobCommand";
import { JobFacts } from "./JobFacts";
import { JobHeader } from "./JobHeader";
import { JobRanks } from "./JobRanks";
import { JobUsed } from "./JobUsed";
import { LogCard } from "./log/LogCard";
import { JobTimeline } from "./timeline/JobTimeline";
import { useFreshWhileWaiting } from "./useFreshWhileWaiting";
import { words } from "./words";
import "./Job.css";

export default function JobPage() {
  const { ref } = useParams({ from: "/jobs/$ref" });
  const { data: detail, error, refetch } = useQuery(jobQuery(ref));
  useTabTitle(detail ? undefined : ref);
  useFreshWhileWaiting(ref, detail !== undefined && isInQueue(detail.job.state));
  if (isNoSuchJob(error)) return <NoSuchJob jobRef={ref} error={error} />;
  if (detail) return <Job detail={detail} key={detail.job.ref} />;
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />;
  return <Loading lines={13} />;
}

function Job({ detail }: { detail: JobDetail }) {
  const say = useWords(words);
  const { job } = detail;
  const mayRead = detail.mine;
  const mayStop = Boolean(detail.may?.includes("stop"));
  const hasNeighbours = detail.after.length + detail.after_ok.length + detail.successors.length > 0;
  return (
    <>
      <JobHeader detail={detail} mayAct={mayStop} />
      <div className="job-columns">
        <div className="job-top">
          {!mayRead && (
            <Alert
              type="info"
              showIcon
              title={say("private")}
              description={say("privateText", { owner: job.owner })}
            />
          )}
          {!job.array && <JobRanks detail={detail} mayRead={mayRead} />}
          {mayRead && !job.array && <LogCard detail={detail} />}
        </div>
        <div className="job-main">
          {job.array && <ArrayElements detail={detail} mayAct={mayStop} />}
          {!job.array && job.gpus > 0 && job.attempt > 0 && (
            <JobCharts job={job} tasks={detail.attempts.at(-1)?.tasks ?? []} />
          )}
          {!job.array && <JobTimeline jobRef={job.ref} />}
        </div>
        <div className="job-side">
          <JobFacts detail={detail} />
          <JobUsed detail={detail} />
          {hasNeighbours && <JobGraph detail={detail} />}
          {detail.fields && <JobCommand detail={detail} fields={detail.fields} />}
          {job.array && <JobTimeline jobRef={job.ref} />}
        </div>
      </div>
    </>
  );
}
