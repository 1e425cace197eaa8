import type { NodeRow } from "@/lib/api/schema";
import { useDark } from "@/lib/dark";
import { formatMegabytes, formatRate } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { Chart, type Line } from "@/ui/chart/Chart";
import { gpuColor } from "@/ui/look/gpuColors";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { words } from "../words";
import { useNodeHistory } from "./useNodeHistory";
import "./NodeCharts.css";

const percent = (value: number) => `${Math.round(value)} %`;
const celsius = (value: number) => `${Math.round(value)} °C`;
const watts = (value: number) => `${Math.round(value)} W`;

/** The last hour in curves. They grow to the right as the node is read. */
export function NodeCharts({ node }: { node: NodeRow }) {
  const say = useWords(words);
  const dark = useDark();
  const { data: history, error, refetch } = useNodeHistory(node.name);
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!history) return <Loading lines={7} />;
  if (history.times.length === 0)
    return <p className="soft node-none">{say(node.state === "lost" ? "unreachable" : "nothingMeasured")}</p>;

  const { times, gpus } = history;
  function perGpu(column: "load" | "used_mb" | "temperature_c" | "power_w"): Line[] {
    return gpus.map((gpu) => ({
      label: say("gpu", { index: gpu.index }),
      color: gpuColor(gpu.index, dark),
      values: gpu[column],
    }));
  }
  const largestCard = Math.max(0, ...node.gpus.map(({ memory_mb }) => memory_mb));
  const machine: Curves[] = [
    {
      title: say("chartCpu"),
      lines: [{ label: say("cpu"), color: "var(--busy)", values: history.cpu_percent }],
      format: percent,
      max: 100,
    },
    {
      title: say("chartMemory"),
      lines: [{ label: say("used"), color: "var(--busy)", values: history.memory_used_mb }],
      format: formatMegabytes,
      max: node.usage?.memory_total_mb ?? node.memory_mb,
    },
    {
      title: say("chartNetwork"),
      lines: [
        { label: say("networkIn"), color: "var(--busy)", values: history.network_in_bytes_s },
        { label: say("networkOut"), color: "var(--foreign)", values: history.network_out_bytes_s },
      ],
      format: formatRate,
    },
  ];
  const cards: Curves[] = [
    { title: say("chartGpuLoad"), lines: perGpu("load"), format: percent, max: 100 },
    {
      title: say("chartGpuMemory"),
      lines: perGpu("used_mb"),
      format: formatMegabytes,
      max: largestCard || undefined,
    },
    { title: say("chartTemperature"), lines: perGpu("temperature_c"), format: celsius, max: 100 },
    { title: say("chartPower"), lines: perGpu("power_w"), format: watts },
  ];
  return (
    <>
      <div className="node-charts node-charts-machine">
        {machine.map((curves) => (
          <ChartCard key={curves.title} times={times} {...curves} />
        ))}
      </div>
      {gpus.length > 0 && (
        <div className="node-charts node-charts-gpus">
          {cards.map((curves) => (
            <ChartCard key={curves.title} times={times} {...curves} />
          ))}
        </div>
      )}
    </>
  );
}

interface Curves {
  title: string;
  lines: readonly Line[];
  format: (value: number) => string;
  max?: number;
}

function ChartCard({ title, times, ...curves }: Curves & { times: readonly number[] }) {
  return (
    <figure className="node-chart">
      <figcaption>{title}</figcaption>
      <Chart label={title} times={times} {...curves} />
    </figure>
  );
}
