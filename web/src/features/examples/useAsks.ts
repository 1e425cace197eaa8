import type { ExampleRow, JobFields } from "@/lib/api/schema";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import type { Say } from "@/lib/i18n/words";
import { words } from "./words";

/** What an example asks for, in a few words. */
export function useAsks({ steps }: ExampleRow): string[] {
  const say = useWords(words);
  const resources = [...new Set(steps.map((step) => resourcesOf(step, say)))];
  return [
    ...(steps.length > 1 ? [say("jobs", { count: steps.length })] : []),
    ...steps.flatMap(({ array }) => (array ? [say("elements", { array })] : [])),
    ...resources,
  ];
}

function resourcesOf({ gpus, share, gpu_memory_mb, cpus }: JobFields, say: Say<typeof words>): string {
  if (share && gpu_memory_mb) return say("sharedGpu", { size: formatMegabytes(gpu_memory_mb) });
  if (gpus) return say("gpus", { count: gpus });
  return cpus ? say("cpus", { count: cpus }) : say("cpuOnly");
}
