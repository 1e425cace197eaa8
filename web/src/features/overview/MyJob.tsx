import { Link } from "@tanstack/react-router";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { gpuRanges } from "@/ui/gpu/GpuRanges";
import { countNodes, nameNodes, nodesOf } from "@/ui/job/places";
import { StateTag } from "@/ui/job/StateTag";
import { Ago, Lasting } from "@/ui/value/Time";
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
        <StateTag state={job.state} unreachable={job.unreachable_since != null} />
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

type Placed = Pick<JobRow, "node" | "on_nodes" | "nodes" | "nodes_min" | "gpus" | "gpu_ids">;

/** `n1 · GPU 0–3`, or of several nodes `n1, n2 · 2 × 4 GPU` */
export function placeOf(job: Placed): string {
  const names = nodesOf(job);
  if (names.length > 1) {
    const gpus = job.gpus > 0 ? `${countNodes(job)} × ${job.gpus} GPU` : null;
    return [nameNodes(names), gpus].filter(Boolean).join(" · ");
  }
  const gpus = job.gpu_ids?.length ? `GPU ${gpuRanges(job.gpu_ids)}` : null;
  return [job.node, gpus].filter(Boolean).join(" · ");
}
