import type { GpuRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { conditionOf, foreignersOn, percentOf } from "@/ui/gpu/GpuCondition";
import type { Holders } from "@/ui/gpu/GpuHolders";
import { memoryOf } from "@/ui/gpu/GpuMemory";
import { useConditionWord } from "@/ui/gpu/GpuWords";
import { GPU_TONES } from "@/ui/look/tones";
import { words } from "../words";

/** One GPU on the wall. The smaller its cell, the less it says; its colour and its load stay to the last. */
export function WallGpu({ gpu, holders }: { gpu: GpuRow; holders: Holders }) {
  const say = useWords(words);
  const wordOf = useConditionWord();
  const condition = conditionOf(gpu, holders);
  const load = gpu.load ?? null;
  const used = gpu.used_mb ?? null;
  return (
    <li
      className={`wall-gpu wall-gpu-${GPU_TONES[condition]}`}
      aria-label={say("wholeGpu", { index: gpu.index })}
    >
      <i className="wall-gpu-heat" style={{ height: `${load ?? 0}%` }} aria-hidden="true" />
      <div className="wall-gpu-text">
        <span className="wall-gpu-top">
          <span className="number">{gpu.index}</span>
          <span className="wall-gpu-word">{wordOf(condition)}</span>
        </span>
        <b className="wall-gpu-load number">{load === null ? say("unknown") : `${load}%`}</b>
        <span className="wall-gpu-who">
          <Who gpu={gpu} holders={holders} />
        </span>
        <span className="wall-gpu-more number">
          <span>{used === null ? say("unknown") : memoryOf(used, gpu.memory_mb)}</span>
          <span>
            {gpu.temperature_c === null || gpu.temperature_c === undefined
              ? say("unknown")
              : `${gpu.temperature_c} °C`}
          </span>
        </span>
        <span className="wall-gpu-memory" aria-hidden="true">
          <i style={{ width: `${percentOf(used, gpu.memory_mb) ?? 0}%` }} />
        </span>
      </div>
    </li>
  );
}

function Who({ gpu, holders }: { gpu: GpuRow; holders: Holders }) {
  const say = useVocabulary();
  if (gpu.state === "faulty") return gpu.fault;
  if (gpu.state === "foreign")
    return foreignersOn(gpu)
      .map((name) => name || say("gpu.hidden"))
      .join(", ");
  const owners = (gpu.jobs ?? []).map((id) => holders[id]?.owner ?? (id === gpu.job ? gpu.user : null));
  return [...new Set(owners.filter(Boolean))].join(", ");
}
