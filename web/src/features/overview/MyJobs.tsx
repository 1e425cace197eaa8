import { Link } from "@tanstack/react-router";
import { useMe } from "@/app/session";
import type { JobPage } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { maySubmit } from "@/lib/rights";
import { NotifyOffer } from "@/ui/job/NotifyOffer";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { MyJob } from "./MyJob";
import type { useMyJobs } from "./useMyJobs";
import { words } from "./words";
import "./MyJobs.css";

/** What is mine: what runs, what waits and why, what has just ended. */
export function MyJobs({ mine }: { mine: ReturnType<typeof useMyJobs> }) {
  const say = useWords(words);
  const submits = maySubmit(useMe());
  const [running, waiting, history] = mine;
  const problem = running.error ?? waiting.error ?? history.error;
  const askAgain = () => void Promise.all([running, waiting, history].map(({ refetch }) => refetch()));
  const isEmpty = [running, waiting, history].every(({ data }) => data?.jobs.length === 0);
  const isThere = running.data && waiting.data && history.data;
  return (
    <div className="my-jobs overview-panel">
      <div className="my-jobs-head">
        <h2>{say("myJobs")}</h2>
        {!isEmpty && (
          <Link to="/jobs" search={{ mine: true }}>
            {say("allMine")}
          </Link>
        )}
      </div>
      {problem && <ErrorNotice error={problem} retry={askAgain} />}
      {!isThere && !problem && <Loading />}
      {isEmpty && (
        <Nothing
          title={say("noJobs")}
          hint={say(submits ? "noJobsHint" : "noJobsOfViewer")}
          action={
            submits && (
              <Link to="/examples" className="my-jobs-start">
                {say("startExample")}
              </Link>
            )
          }
        />
      )}
      {running.data && running.data.jobs.length > 0 && <NotifyOffer several />}
      <Group title={say("nowRunning")} page={running.data} count={running.data?.counts.running} />
      <Group title={say("nowWaiting")} page={waiting.data} count={waiting.data?.counts.waiting} />
      <Group title={say("ended")} page={history.data} />
    </div>
  );
}

function Group({ title, page, count }: { title: string; page: JobPage | undefined; count?: number }) {
  const say = useWords(words);
  if (!page || page.jobs.length === 0) return null;
  const more = count === undefined ? 0 : count - page.jobs.length;
  return (
    <section>
      <h3>
        {title} {count !== undefined && <span className="number">{count}</span>}
      </h3>
      <ul>
        {page.jobs.map((job) => (
          <MyJob key={job.ref} job={job} />
        ))}
      </ul>
      {more > 0 && <p className="soft">{say("moreJobs", { count: more })}</p>}
    </section>
  );
}
