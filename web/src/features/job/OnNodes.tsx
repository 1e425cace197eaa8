import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { gpuRanges } from "@/ui/gpu/GpuRanges";
import { nodesOf } from "@/ui/job/places";
import { words } from "./words";

/** Its nodes, each a way there; of one node its GPUs as well. Which GPUs it has on several stands with its ranks. */
export function OnNodes({ job, most = Number.POSITIVE_INFINITY }: { job: JobRow; most?: number }) {
  const say = useWords(words);
  const names = nodesOf(job);
  return (
    <>
      {names.slice(0, most).map((name, place) => (
        <Fragment key={name}>
          {place > 0 && say("comma")}
          <Link to="/nodes/$name" params={{ name }}>
            {name}
          </Link>
        </Fragment>
      ))}
      {names.length > most && `${say("comma")}+${names.length - most}`}
      {names.length === 1 && job.gpu_ids?.length ? say("onGpus", { ids: gpuRanges(job.gpu_ids) }) : null}
    </>
  );
}
