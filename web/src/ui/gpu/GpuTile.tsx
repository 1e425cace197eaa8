import { Link } from "@tanstack/react-router";
import type { GpuRow } from "@/lib/api/schema";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { GPU_TONES } from "../look/tones";
import { conditionOf, foreignersOn } from "./GpuCondition";
import type { Holders } from "./GpuHolders";
import { useConditionWord, words } from "./GpuWords";
import "./GpuTile.css";

/** One GPU where there are many: its number, its load, and who has it or the word for how it is. */
export function GpuTile({ gpu, holders }: { gpu: GpuRow; holders: Holders }) {
  const say = useWords(words);
  const sayWord = useVocabulary();
  const wordOf = useConditionWord();
  const condition = conditionOf(gpu, holders);
  const [first, ...others] = gpu.jobs ?? [];
  const owner = first === undefined ? null : (holders[first]?.owner ?? gpu.user);
  const load = gpu.load ?? null;
  const facts = [
    say("gpu", { index: gpu.index }),
    wordOf(condition),
    condition === "foreign"
      ? foreignersOn(gpu)
          .map((name) => name || sayWord("gpu.hidden"))
          .join(", ")
      : owner,
    first === undefined ? null : `#${[first, ...others].join(" #")}`,
    load === null ? null : `${load} %`,
    gpu.used_mb === null || gpu.used_mb === undefined ? null : formatMegabytes(gpu.used_mb),
    gpu.temperature_c === null || gpu.temperature_c === undefined ? null : `${gpu.temperature_c} °C`,
    gpu.fault,
  ];
  return (
    <li className={`gpu-tile gpu-tile-${GPU_TONES[condition]}`} title={facts.filter(Boolean).join(" · ")}>
      <i className="gpu-tile-fill" style={{ width: `${load ?? 0}%` }} aria-hidden="true" />
      <span className="gpu-tile-numbers number">
        <b>{gpu.index}</b>
        <span>{load === null ? say("unknown") : `${load} %`}</span>
      </span>
      {first === undefined ? (
        <span className="gpu-tile-who">{wordOf(condition)}</span>
      ) : (
        <Link to="/jobs/$ref" params={{ ref: String(first) }} preload={false} className="gpu-tile-who">
          {owner ?? `#${first}`}
          {others.length > 0 && ` ${say("moreJobs", { count: others.length })}`}
        </Link>
      )}
    </li>
  );
}
