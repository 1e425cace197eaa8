import { Tooltip } from "antd";
import { useWords } from "@/lib/i18n/language";
import { GPU_TONES } from "../look/tones";
import { CONDITIONS, type Condition, type ConditionCounts } from "./GpuCondition";
import { useConditionWord, words } from "./GpuWords";
import "./GpuLegend.css";

/** Seldom seen, so only shown where there is one. */
const RARE: readonly Condition[] = ["drained", "unmanaged", "lost"];

/** How many GPUs are in each condition: a bar of them all, and what its colours mean. */
export function GpuLegend({ counts }: { counts: ConditionCounts }) {
  const say = useWords(words);
  const wordOf = useConditionWord();
  const shown = CONDITIONS.filter((each) => counts[each] > 0 || !RARE.includes(each));
  return (
    <div className="gpu-legend">
      <div className="gpu-legend-bar" aria-hidden="true">
        {shown
          .filter((each) => counts[each] > 0)
          .map((each) => (
            <i key={each} className={`gpu-legend-${GPU_TONES[each]}`} style={{ flexGrow: counts[each] }} />
          ))}
      </div>
      <ul aria-label={say("legend")}>
        {shown.map((each) => (
          <Tooltip key={each} title={say(`${each}Means`)}>
            <li className={counts[each] === 0 ? "gpu-legend-none" : undefined}>
              <i className={`gpu-legend-${GPU_TONES[each]}`} aria-hidden="true" />
              <b className="number">{counts[each]}</b> <span>{wordOf(each)}</span>
            </li>
          </Tooltip>
        ))}
      </ul>
    </div>
  );
}
