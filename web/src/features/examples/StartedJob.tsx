import { Link } from "@tanstack/react-router";
import type { JobDetail } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { StateTag } from "@/ui/job/StateTag";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Lasting } from "@/ui/value/Time";
import { useLogTail } from "./useLogTail";
import { words } from "./words";

interface StartedJobProps {
  id: string;
  detail: JobDetail | null;
  error: Error | null;
  followed: boolean;
}

/** One job of an example: where it stands, why, and what it writes. Its height is kept. */
export function StartedJob({ id, detail, error, followed }: StartedJobProps) {
  const say = useWords(words);
  const job = detail?.job;
  const hasLog = Boolean(job && job.attempt > 0 && !job.array);
  const lines = useLogTail(id, job?.attempt ?? 1, followed && hasLog);
  if (error && !detail) return <ErrorNotice error={error} />;
  return (
    <div className="started-job">
      <div className="started-job-head">
        <b className="number">{id}</b>
        <span className="started-job-name">{job?.name}</span>
        {job && <StateTag state={job.state} />}
        {job?.started_at && <Lasting from={job.started_at} to={job.ended_at} />}
        <Link to="/jobs/$ref" params={{ ref: id }}>
          {say("toJob", { ref: id })}
        </Link>
      </div>
      <div className="started-job-message soft">{detail && <Progress detail={detail} />}</div>
      {followed && !job?.array && (
        <section
          className="code-block example-code started-job-log"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard.
          tabIndex={0}
          aria-label={say("lastLines", { ref: id })}
        >
          <pre>{lines.length ? lines.join("\n") : say("noLines")}</pre>
        </section>
      )}
    </div>
  );
}

function Progress({ detail: { job, message } }: { detail: JobDetail }) {
  const say = useWords(words);
  if (!job.array || job.area === "history") return message;
  const { total, waiting, active } = job.array;
  return say("arrayProgress", { total, active, ended: total - waiting - active });
}
