import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { JobRow, JobUsage, TaskRow } from "@/lib/api/schema";
import { useDark } from "@/lib/dark";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { useLive } from "@/lib/live/Live";
import { Chart } from "@/ui/chart/Chart";
import { gpuColor } from "@/ui/look/gpuColors";
import { Panel } from "./Panel";
import { extendUsage } from "./usage";
import { words } from "./words";

const percent = (value: number) => `${Math.round(value)} %`;

/** How busy its GPUs are, or were. */
export function JobCharts({ job, tasks }: { job: JobRow; tasks: readonly TaskRow[] }) {
  const say = useWords(words);
  const dark = useDark();
  const wanted = useSearch({ from: "/jobs/$ref" }).rank ?? 0;
  const task = tasks[wanted] ?? tasks[0];
  const usage = useUsage(job, task?.rank ?? 0);
  if (!usage || usage.gpus.length === 0) return null;
  const { times, gpus } = usage;
  // One that was over before the page was opened has nothing to show, nor one whose curves were too old to keep.
  if (times.length === 0 && job.ended_at != null) return null;
  const lines = (column: "load" | "used_mb") =>
    gpus.map((gpu) => ({
      label: say("gpu", { index: gpu.index }),
      color: gpuColor(gpu.index, dark),
      values: gpu[column],
    }));
  const largest = Math.max(0, ...gpus.map(({ memory_mb }) => memory_mb));
  return (
    <Panel
      title={tasks.length > 1 && task ? say("gpusOfRank", { rank: task.rank, node: task.node }) : say("gpus")}
      kind="charts"
    >
      <div className="job-charts">
        <figure>
          <figcaption>{say("load")}</figcaption>
          <Chart label={say("load")} times={times} lines={lines("load")} format={percent} max={100} />
        </figure>
        <figure>
          <figcaption>{say("gpuMemoryUsed")}</figcaption>
          <Chart
            label={say("gpuMemoryUsed")}
            times={times}
            lines={lines("used_mb")}
            format={formatMegabytes}
            max={largest || undefined}
          />
        </figure>
      </div>
    </Panel>
  );
}

function useUsage({ ref, ended_at }: JobRow, rank: number): JobUsage | undefined {
  const client = useQueryClient();
  const { onReadings } = useLive();
  const { data } = useQuery({
    queryKey: [...keys.job(ref), "usage", rank],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/v1/jobs/{job_id}/usage", {
          params: { path: { job_id: ref }, query: { rank } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const isOver = ended_at != null;
  useEffect(() => {
    if (isOver) return;
    return onReadings((readings) =>
      client.setQueryData<JobUsage>(
        [...keys.job(ref), "usage", rank],
        (now) => now && extendUsage(now, readings),
      ),
    );
  }, [client, isOver, onReadings, rank, ref]);
  return data;
}
