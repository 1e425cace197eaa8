import type { NodeRow } from "@/lib/api/schema";
import { formatBytes, formatRate } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { percentOf } from "@/ui/gpu/GpuCondition";
import { memoryOf } from "@/ui/gpu/GpuMemory";
import { Meter } from "@/ui/value/Meter";
import { diskTone } from "./disks";
import { words } from "./words";
import "./NodeNow.css";

/** What the machine is doing at this moment. */
export function NodeNow({ node }: { node: NodeRow }) {
  const say = useWords(words);
  const { usage } = node;
  const unknown = say("unknown");
  return (
    <section className="node-now" aria-label={say("now")}>
      <Meter
        label={say("cpu")}
        value={usage ? `${Math.round(usage.cpu_percent)} %` : unknown}
        percent={usage?.cpu_percent ?? null}
      />
      <Meter
        label={say("memory")}
        value={usage ? memoryOf(usage.memory_used_mb, usage.memory_total_mb) : unknown}
        percent={usage ? percentOf(usage.memory_used_mb, usage.memory_total_mb) : null}
      />
      <Meter
        label={say("given")}
        value={say("cpusGiven", { used: node.cpus_used, total: node.cpus })}
        percent={percentOf(node.cpus_used, node.cpus)}
      />
      {(usage?.disks ?? []).map((disk) => {
        const percent = percentOf(disk.used_bytes, disk.total_bytes);
        return (
          <Meter
            key={disk.path}
            label={disk.path}
            value={`${formatBytes(disk.used_bytes)} / ${formatBytes(disk.total_bytes)}`}
            percent={percent}
            tone={diskTone(percent)}
          />
        );
      })}
      <dl className="node-now-more">
        <div>
          <dt>{say("netIn")}</dt>
          <dd className="number">{usage ? formatRate(usage.network_in_bytes_s) : unknown}</dd>
        </div>
        <div>
          <dt>{say("netOut")}</dt>
          <dd className="number">{usage ? formatRate(usage.network_out_bytes_s) : unknown}</dd>
        </div>
        <div>
          <dt>{say("load1m")}</dt>
          <dd className="number">{usage ? usage.load_1m.toFixed(2) : unknown}</dd>
        </div>
      </dl>
    </section>
  );
}
