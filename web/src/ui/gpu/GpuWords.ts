import { useLanguage } from "@/lib/i18n/language";
import { defineWords, sayIn } from "@/lib/i18n/words";
import { vocabulary } from "@/lib/vocabulary";
import type { Condition } from "./GpuCondition";

export const words = defineWords({
  unit: ["GPU", "GPU"],
  gpu: ["GPU {index}", "GPU {index}"],
  shared: ["shared", "共享"],
  load: ["Load", "负载"],
  memory: ["Memory", "显存"],
  unknown: ["–", "–"],
  moreJobs: ["+{count}", "+{count}"],
  legend: ["What the colours mean", "颜色含义"],
  freeMeans: ["No job is using it: one can start here at once.", "无人占用，任务可立即使用。"],
  busyMeans: ["One job has it to itself.", "由一个任务独占。"],
  sharedMeans: [
    "Several jobs are on it, or one that lets others join.",
    "多个任务共用，或其任务允许他人加入。",
  ],
  foreignMeans: [
    "Used by processes that Danlu did not start. No job gets it until they exit.",
    "有非丹炉启动的进程在用，退出前不会分配。",
  ],
  sickMeans: [
    "It is faulty and gets no jobs. The node's page shows why.",
    "已损坏，不再分配；原因见节点页。",
  ],
  drainedMeans: ["Running jobs finish; no new ones start.", "运行中的任务做完后，不再分配新任务。"],
  unmanagedMeans: ["Danlu does not use this GPU.", "丹炉不分配此 GPU。"],
  lostMeans: ["Its node is unreachable.", "所在节点无法连接。"],
});

const WORD_OF = {
  free: "gpu.free",
  busy: "gpu.used",
  foreign: "gpu.foreign",
  sick: "gpu.faulty",
  drained: "gpu.drained",
  unmanaged: "gpu.unmanaged",
  lost: "gpu.lost",
} as const;

/** The word for a condition, the same as on the command line. */
export function useConditionWord(): (condition: Condition) => string {
  const language = useLanguage();
  return (condition) =>
    condition === "shared"
      ? sayIn(language, words)("shared")
      : sayIn(language, vocabulary)(WORD_OF[condition]);
}
