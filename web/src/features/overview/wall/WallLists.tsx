import type { ReactNode } from "react";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { countNodes, isOfMany } from "@/ui/job/places";
import { Lasting } from "@/ui/value/Time";
import { placeOf } from "../MyJob";
import { words } from "../words";
import type { Share } from "./shares";
import "./WallLists.css";

/** So many lines have room, whatever the screen: its type grows with it. */
const LINES = 6;

export function WallPeople({ shares }: { shares: readonly Share[] }) {
  const say = useWords(words);
  const most = Math.max(1, ...shares.map(({ gpus }) => gpus));
  return (
    <Lines title={say("whoUses")} none={say("noGpusInUse")} more={shares.length - LINES}>
      {shares.slice(0, LINES).map(({ owner, gpus }) => (
        <li key={owner} className="wall-person">
          <span>{owner}</span>
          <span className="wall-person-bar" aria-hidden="true">
            <i style={{ width: `${(100 * gpus) / most}%` }} />
          </span>
          <b className="number">{gpus}</b>
        </li>
      ))}
    </Lines>
  );
}

export function WallRunning({ jobs, total }: { jobs: readonly JobRow[]; total: number }) {
  const say = useWords(words);
  return (
    <Lines title={say("runningJobs")} none={say("nothingRuns")} more={total - LINES}>
      {jobs.slice(0, LINES).map((job) => (
        <li key={job.ref} className="wall-job">
          <Who job={job} />
          <span className="soft">{placeOf(job) || say("cpuJob")}</span>
          <Lasting from={job.started_at} />
        </li>
      ))}
    </Lines>
  );
}

export function WallQueue({ jobs, total }: { jobs: readonly JobRow[]; total: number }) {
  const say = useWords(words);
  return (
    <Lines title={say("queue")} none={say("nothingWaits")} more={total - LINES}>
      {jobs.slice(0, LINES).map((job) => (
        <li key={job.ref} className="wall-job">
          <Who job={job} />
          <span className="soft">
            {isOfMany(job) && `${countNodes(job)} × `}
            {job.gpus > 0 ? say("gpuCount", { count: job.gpus }) : say("cpuJob")}
          </span>
          <Lasting from={job.submitted_at} />
        </li>
      ))}
    </Lines>
  );
}

function Who({ job }: { job: JobRow }) {
  return (
    <span>
      <b>{job.owner}</b> {job.name || `#${job.ref}`}
    </span>
  );
}

function Lines({
  title,
  none,
  more,
  children,
}: {
  title: string;
  none: string;
  more: number;
  children: ReactNode[];
}) {
  const say = useWords(words);
  return (
    <section className="wall-lines">
      <h2>
        {title}
        {more > 0 && <span className="soft number">{say("moreJobs", { count: more })}</span>}
      </h2>
      {children.length > 0 ? <ul>{children}</ul> : <p className="soft">{none}</p>}
    </section>
  );
}
