import { Mark } from "../look/Mark";
import { GPU_TONES } from "../look/tones";
import type { Condition } from "./GpuCondition";
import { useConditionWord } from "./GpuWords";

/** A GPU's condition: a dot and a word. */
export function GpuMark({ condition }: { condition: Condition }) {
  const wordOf = useConditionWord();
  return (
    <Mark tone={GPU_TONES[condition]}>
      <span className="mark-word">{wordOf(condition)}</span>
    </Mark>
  );
}
