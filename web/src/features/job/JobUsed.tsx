import type { JobDetail, JobRow, UsedRow } from "@/lib/api/schema";
import { formatDuration, formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { Meter } from "@/ui/value/Meter";
import { Panel } from "./Panel";
import { cpusBusy, shareOf } from "./used";
import { words } from "./words";

/** What it has used beside what it asked for: what was asked for in vain shows. */
export function JobUsed({ detail }: { detail: JobDetail }) {
  const { job, used } = detail;
  const say = useWords(words);
  if (!used || job.ended_at == null) return null;
  return (
    <Panel title={say("used")} kind="used">
      <div className="job-used">
        <CpuUsed job={job} used={used} asked={detail.fields?.cpus ?? 0} />
        {used.peak_memory_mb != null && (
          <Meter
            label={say("peakMemory")}
            value={
              job.memory_mb
                ? say("ofAsked", {
                    used: formatMegabytes(used.peak_memory_mb),
                    asked: formatMegabytes(job.memory_mb),
                  })
                : formatMegabytes(used.peak_memory_mb)
            }
            percent={shareOf(used.peak_memory_mb, job.memory_mb)}
          />
        )}
        {used.gpu_load != null && (
          <Meter
            label={say("gpuLoad")}
            value={say("meanAndPeak", {
              mean: `${Math.round(used.gpu_load)} %`,
              peak: `${used.gpu_load_peak ?? 0} %`,
            })}
            percent={used.gpu_load}
          />
        )}
        {used.gpu_memory_mb != null && (
          <Meter
            label={say("usedGpuMemory")}
            value={say("meanAndPeak", {
              mean: formatMegabytes(used.gpu_memory_mb),
              peak: formatMegabytes(used.gpu_memory_peak_mb ?? 0),
            })}
            percent={shareOf(used.gpu_memory_mb, job.gpu_memory_mb || used.gpu_memory_peak_mb)}
          />
        )}
        {used.gpu_s != null && (
          <p className="soft">{say("gpuHours", { hours: (used.gpu_s / 3600).toFixed(2) })}</p>
        )}
      </div>
    </Panel>
  );
}

function CpuUsed({ job, used, asked: onEach }: { job: JobRow; used: UsedRow; asked: number }) {
  const say = useWords(words);
  if (used.cpu_s == null) return null;
  const time = formatDuration(used.cpu_s);
  const busy = cpusBusy(job, used.cpu_s);
  const asked = onEach * Math.max(1, job.on_nodes?.length ?? 0);
  let value = time;
  if (busy !== null) {
    const facts = { time, busy: busy.toFixed(1), asked };
    value = say(asked ? "cpuOfAsked" : "cpuBusy", facts);
  }
  return <Meter label={say("cpuTime")} value={value} percent={busy === null ? null : shareOf(busy, asked)} />;
}
