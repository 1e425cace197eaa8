import { Mark } from "../job/StateTag";
import { type Condition, TONE_OF } from "./GpuCondition";
import { useConditionWord } from "./GpuWords";

/** A GPU's condition: a dot and a word. */
export function GpuMark({ condition }: { condition: Condition }) {
  const wordOf = useConditionWord();
  return (
    <Mark tone={TONE_OF[condition]}>
      <span className="mark-word">{wordOf(condition)}</span>
    </Mark>
  );
}
