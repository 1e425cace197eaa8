import { Button } from "antd";
import type { GpuRow, NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { conditionOf, percentOf } from "@/ui/gpu/GpuCondition";
import type { Holders } from "@/ui/gpu/GpuHolders";
import { GpuMark } from "@/ui/gpu/GpuMark";
import { memoryOf } from "@/ui/gpu/GpuMemory";
import { GpuOccupants } from "@/ui/gpu/GpuOccupants";
import { GPU_TONES } from "@/ui/look/tones";
import { Nothing } from "@/ui/page/Nothing";
import { Meter } from "@/ui/value/Meter";
import type { useDrain } from "../useDrain";
import { words } from "../words";
import { GpuSlots } from "./GpuSlots";
import "@/ui/value/FactTable.css";
import "./GpuTable.css";

interface GpuTableProps {
  node: NodeRow;
  holders: Holders;
  draining: ReturnType<typeof useDrain>;
}

export function GpuTable({ node, holders, draining }: GpuTableProps) {
  const say = useWords(words);
  if (node.gpus.length === 0) return <Nothing title={say("noGpusHere")} hint={say("noGpusHint")} />;
  return (
    <div className="fact-table-frame">
      <table className="fact-table gpu-table">
        <thead>
          <tr>
            <th scope="col">{say("gpuColumn")}</th>
            <th scope="col">{say("state")}</th>
            <th scope="col">{say("who")}</th>
            <th scope="col">{say("load")}</th>
            <th scope="col">{say("gpuMemory")}</th>
            <th scope="col" className="fact-table-number">
              {say("temperature")}
            </th>
            <th scope="col" className="fact-table-number">
              {say("power")}
            </th>
            <th scope="col" className="fact-table-number">
              {say("slots")}
            </th>
            {draining.allowed && <th scope="col">{say("actions")}</th>}
          </tr>
        </thead>
        <tbody>
          {node.gpus.map((gpu) => (
            <GpuTableRow key={gpu.uuid} gpu={gpu} node={node} holders={holders} draining={draining} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function GpuTableRow({ gpu, node, holders, draining }: GpuTableProps & { gpu: GpuRow }) {
  const say = useWords(words);
  const condition = conditionOf(gpu, holders);
  const tone = GPU_TONES[condition];
  const facts = { index: gpu.index, node: gpu.node };
  return (
    <tr>
      <th scope="row" title={`${gpu.name} ${gpu.uuid}`}>
        <b>{say("gpu", { index: gpu.index })}</b>
        <span className="soft gpu-table-name">{gpu.name}</span>
      </th>
      <td>
        <GpuMark condition={condition} />
      </td>
      <td className="gpu-table-who">
        <GpuOccupants gpu={gpu} condition={condition} holders={holders} most={8} />
      </td>
      <td>
        <Meter
          label={say("load")}
          value={gpu.load === null || gpu.load === undefined ? say("unknown") : `${gpu.load} %`}
          percent={gpu.load ?? null}
          tone={tone}
        />
      </td>
      <td>
        <Meter
          label={say("gpuMemory")}
          value={memoryText(gpu, say("unknown"))}
          percent={percentOf(gpu.used_mb, gpu.memory_mb)}
          tone={tone}
        />
      </td>
      <td className="fact-table-number" data-label={say("temperature")}>
        {withUnit(gpu.temperature_c, "°C", say("unknown"))}
      </td>
      <td className="fact-table-number" data-label={say("power")}>
        {withUnit(gpu.power_w, "W", say("unknown"))}
        {gpu.power_limit_w ? <span className="soft"> / {Math.round(gpu.power_limit_w)}</span> : null}
      </td>
      <td className="fact-table-number" data-label={say("slots")}>
        <GpuSlots gpu={gpu} node={node} allowed={draining.allowed} />
      </td>
      {draining.allowed && (
        <td className="fact-table-actions">
          <Button
            size="small"
            disabled={draining.busy}
            aria-label={say(gpu.drained ? "undrainGpu" : "drainGpu", facts)}
            onClick={() => draining.drainGpu(gpu.node, gpu.index, !gpu.drained)}
          >
            {say(gpu.drained ? "undrain" : "drain")}
          </Button>
        </td>
      )}
    </tr>
  );
}

function memoryText({ used_mb, memory_mb }: GpuRow, unknown: string): string {
  return used_mb === null || used_mb === undefined ? unknown : memoryOf(used_mb, memory_mb);
}

function withUnit(value: number | null | undefined, unit: string, unknown: string): string {
  return value === null || value === undefined ? unknown : `${Math.round(value)} ${unit}`;
}
