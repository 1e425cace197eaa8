import type { GpuRow } from "@/lib/api/schema";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { GPU_TONES } from "../look/tones";
import { Meter } from "../value/Meter";
import { conditionOf, percentOf } from "./GpuCondition";
import type { Holders } from "./GpuHolders";
import { GpuMark } from "./GpuMark";
import { memoryOf } from "./GpuMemory";
import { GpuOccupants } from "./GpuOccupants";
import { words } from "./GpuWords";
import "./GpuCell.css";

/** One GPU: how busy it is, how full, how hot, and who is on it. Always of the same height. */
export function GpuCell({ gpu, holders }: { gpu: GpuRow; holders: Holders }) {
  const say = useWords(words);
  const condition = conditionOf(gpu, holders);
  const tone = GPU_TONES[condition];
  const unknown = say("unknown");
  const load = gpu.load ?? null;
  const used = gpu.used_mb ?? null;
  return (
    <li className={`gpu-cell gpu-cell-${tone}`} aria-label={say("gpu", { index: gpu.index })}>
      <div className="gpu-cell-head">
        <b className="number" title={gpu.name}>
          <span className="gpu-cell-unit">{say("unit")} </span>
          {gpu.index}
        </b>
        <GpuMark condition={condition} />
      </div>
      <Meter label={say("load")} value={load === null ? unknown : `${load} %`} percent={load} tone={tone} />
      <Meter
        label={say("memory")}
        value={used === null ? formatMegabytes(gpu.memory_mb) : memoryOf(used, gpu.memory_mb)}
        percent={percentOf(used, gpu.memory_mb)}
        tone={tone}
      />
      <div className="gpu-cell-foot">
        <div className="gpu-cell-who" title={condition === "sick" ? gpu.fault : undefined}>
          <GpuOccupants gpu={gpu} condition={condition} holders={holders} />
        </div>
        <span className="soft number">
          {gpu.temperature_c === null || gpu.temperature_c === undefined
            ? unknown
            : `${gpu.temperature_c} °C`}
        </span>
      </div>
    </li>
  );
}
