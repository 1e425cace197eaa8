/** What stands in a row, by area. Each is two short lines at most. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { JobRow } from "@/lib/api/schema";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { useEnd } from "@/lib/jobEnd";
import { useVocabulary } from "@/lib/vocabulary-words";
import { gpuRanges } from "@/ui/gpu/GpuRanges";
import { countNodes, isOfMany, nameNodes, nodesOf } from "@/ui/job/places";
import { StateTag } from "@/ui/job/StateTag";
import { Mark } from "@/ui/look/Mark";
import { Lasting } from "@/ui/value/Time";
import { words } from "../words";
import { ArrayBar } from "./ArrayBar";
import { Since } from "./Since";

function Two({ first, second }: { first: ReactNode; second?: ReactNode }) {
  return (
    <span className="jobs-two">
      <span>{first}</span>
      {second ? <span className="soft">{second}</span> : null}
    </span>
  );
}

/** Its number, its name, what is special about it; below, how its array fares or why it waits. */
export function NameCell({ job, reasons, tabIndex }: { job: JobRow; reasons: string; tabIndex: number }) {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const tags = Object.entries(job.tags ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(" · ");
  return (
    <span className="jobs-two">
      <span className="jobs-title">
        <span className="mono soft jobs-ref">{job.ref}</span>
        <Link
          className="jobs-name"
          to="/jobs/$ref"
          params={{ ref: job.ref }}
          tabIndex={tabIndex}
          title={job.name}
        >
          {job.name}
        </Link>
        {job.urgent && <Mark tone="foreign">{say("urgent")}</Mark>}
        {job.share && <Mark tone="shared">{say("shared")}</Mark>}
        {job.state === "held" && <Mark tone="idle">{vocabulary("state.held")}</Mark>}
        {tags && (
          <span className="soft jobs-tags" title={tags}>
            {tags}
          </span>
        )}
      </span>
      {(job.array || reasons) && (
        <span className="soft jobs-second" title={reasons || undefined}>
          {job.array && <ArrayBar array={job.array} />}
          {reasons && <span className="jobs-why">{reasons}</span>}
        </span>
      )}
    </span>
  );
}

/** What a waiting job asks for. */
export function AskCell({ job }: { job: JobRow }) {
  const say = useWords(words);
  const gpus = useGpus(job);
  const memory = job.gpu_memory_mb ? formatMegabytes(job.gpu_memory_mb) : "";
  const where = [
    isOfMany(job) ? say("nodeCount", { count: countNodes(job) }) : (job.node ?? say("anyNode")),
    job.gpu_ids?.length && say("gpuIds", { ids: gpuRanges(job.gpu_ids) }),
  ];
  return (
    <Two
      first={[job.share ? say("sharedGpu") : gpus, memory].filter(Boolean).join(" · ")}
      second={where.filter(Boolean).join(" · ")}
    />
  );
}

/** Where it runs or ran. */
export function WhereCell({ job }: { job: JobRow }) {
  const say = useWords(words);
  const gpus = useGpus(job);
  const names = nodesOf(job);
  if (job.array || names.length === 0) return <span className="soft">{job.array ? "" : "–"}</span>;
  if (names.length > 1)
    return <Two first={<span title={names.join(", ")}>{nameNodes(names)}</span>} second={gpus} />;
  return (
    <Two
      first={job.node}
      second={job.gpu_ids?.length ? say("gpuIds", { ids: gpuRanges(job.gpu_ids) }) : say("cpuOnly")}
    />
  );
}

/** `4 GPUs`, or of several nodes `2 × 4 GPUs`. */
function useGpus(job: JobRow): string {
  const say = useWords(words);
  if (job.gpus === 0) return say("cpuOnly");
  const each = say("gpuCount", { count: job.gpus });
  return isOfMany(job) ? `${countNodes(job)} × ${each}` : each;
}

/** How it fares; one that cannot be reached says since when. */
export function StateCell({ job }: { job: JobRow }) {
  const since = job.unreachable_since;
  if (since == null) return <StateTag state={job.state} />;
  return <Two first={<StateTag state={job.state} unreachable />} second={<Since at={since} />} />;
}

/** How it ended: the state, and why where that says more. */
export function EndCell({ job }: { job: JobRow }) {
  return <Two first={<StateTag state={job.state} />} second={<EndWords job={job} />} />;
}

function EndWords({ job }: { job: JobRow }) {
  const sayEnd = useEnd();
  if (job.state === "succeeded" || !job.end_reason || job.end_reason === "cancelled") return null;
  return sayEnd(job.end_reason, job.exit_code ?? null, job.signal ?? null);
}

export function RunningCell({ job }: { job: JobRow }) {
  const say = useWords(words);
  return (
    <Two
      first={<Lasting from={job.started_at} />}
      second={
        <>
          <Since at={job.started_at} />
          {job.attempt > 1 && ` · ${say("attempt", { number: job.attempt })}`}
        </>
      }
    />
  );
}

export function RanCell({ job }: { job: JobRow }) {
  const say = useWords(words);
  return (
    <Two
      first={
        job.ended_at ? <Lasting from={job.started_at} to={job.ended_at} /> : <span className="soft">–</span>
      }
      second={job.attempt > 1 ? say("attempt", { number: job.attempt }) : null}
    />
  );
}
