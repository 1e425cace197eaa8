import type { JobDetail } from "@/lib/api/schema";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { isInLine } from "./actions";
import { words } from "./words";

/** What a job asks for, in words: `2 GPUs, shared, 8 CPUs, 32 GB of memory, on n1`. */
export function useAsk({ job, fields }: JobDetail): string {
  const say = useWords(words);
  const node = fields?.node ?? (isInLine(job.state) ? job.node : null);
  const ids = fields?.gpu_ids ?? (isInLine(job.state) ? job.gpu_ids : []) ?? [];
  const parts = [job.gpus > 0 ? say("gpuCount", { count: job.gpus }) : say("noGpu")];
  if (job.share) parts.push(say("shared"));
  if (job.gpu_memory_mb > 0) parts.push(say("gpuMemory", { size: formatMegabytes(job.gpu_memory_mb) }));
  if (job.cpus > 0) parts.push(say("cpuCount", { count: job.cpus }));
  if (job.memory_mb > 0) parts.push(say("memory", { size: formatMegabytes(job.memory_mb) }));
  if (node) parts.push(say("wantsNode", { node }));
  if (ids.length > 0) parts.push(say("wantsGpus", { ids: ids.join(", ") }));
  return parts.join(say("comma"));
}
