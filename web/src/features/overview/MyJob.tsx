import { Link } from "@tanstack/react-router";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { gpuRanges } from "@/ui/GpuRanges";
import { StateTag } from "@/ui/StateTag";
import { Ago, Lasting } from "@/ui/Time";
import { words } from "./words";

/** One of my jobs in three lines at most. */
export function MyJob({ job }: { job: JobRow }) {
  const say = useWords(words);
  const isRunning = job.area === "running";
  return (
    <li className="my-job">
      <div className="my-job-line">
        <Link to="/jobs/$ref" params={{ ref: job.ref }} title={job.name}>
          <b className="number">#{job.ref}</b> {job.name || say("noName")}
        </Link>
        <StateTag state={job.state} />
      </div>
      {job.area === "waiting" && <div className="my-job-why soft">{job.why?.[0]?.message}</div>}
      {job.area !== "waiting" && (
        <div className="my-job-line soft">
          <span>{placeOf(job)}</span>
          {isRunning ? <Lasting from={job.started_at} /> : <Ago at={job.ended_at} />}
        </div>
      )}
    </li>
  );
}

/** `n1 · GPU 0–3` */
export function placeOf({ node, gpu_ids }: Pick<JobRow, "node" | "gpu_ids">): string {
  const gpus = gpu_ids && gpu_ids.length > 0 ? `GPU ${gpuRanges(gpu_ids)}` : null;
  return [node, gpus].filter(Boolean).join(" · ");
}
