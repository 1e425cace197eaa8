import type { GpuRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { conditionOf } from "@/ui/gpu/GpuCondition";
import type { Holders } from "@/ui/gpu/GpuHolders";
import { useConditionWord } from "@/ui/gpu/GpuWords";
import { kindsOf, shortModel } from "@/ui/gpu/gpuKinds";
import { GPU_TONES } from "@/ui/look/tones";
import { words } from "../words";
import "./GpuPips.css";

/** The GPUs of a node in one line: a pip each, and how many are free in words. */
export function GpuPips({ gpus, holders }: { gpus: readonly GpuRow[]; holders: Holders }) {
  const say = useWords(words);
  const wordOf = useConditionWord();
  if (gpus.length === 0) return <span className="soft">{say("noGpus")}</span>;
  const conditions = gpus.map((gpu) => conditionOf(gpu, holders));
  const free = conditions.filter((each) => each === "free").length;
  return (
    <span className="gpu-pips">
      <span className="number">{say("gpusFree", { free, total: gpus.length })}</span>
      <span className="gpu-pips-row" aria-hidden="true">
        {gpus.map((gpu, place) => {
          const condition = conditions[place] ?? "free";
          return (
            <i
              key={gpu.uuid}
              className={`gpu-pip gpu-pip-${GPU_TONES[condition]}`}
              title={`${say("gpu", { index: gpu.index })}: ${wordOf(condition)}`}
            />
          );
        })}
      </span>
      <span className="soft gpu-pips-kinds">
        {kindsOf(gpus)
          .map(({ name, count }) => `${count} × ${shortModel(name)}`)
          .join(", ")}
      </span>
    </span>
  );
}
