import type { JobDetail } from "@/lib/api/schema";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { isInQueue } from "@/lib/jobStates";
import { countNodes, isOfMany } from "@/ui/job/places";
import { words } from "../words";

/** What a job asks for, in words: `2 nodes with 4 GPUs each, 8 CPUs, 32 GB of memory`. */
export function useAsk({ job, fields }: JobDetail): string {
  const say = useWords(words);
  const node = fields?.node ?? (isInQueue(job.state) ? job.node : null);
  // What it asked for, whatever it has got.
  const asked = { nodes: job.nodes, nodes_min: job.nodes_min, on_nodes: [] };
  const ids = fields?.gpu_ids ?? (isInQueue(job.state) ? job.gpu_ids : []) ?? [];
  const gpus = say("gpuCount", { count: job.gpus });
  const nodes = countNodes(asked);
  const parts = isOfMany(asked)
    ? [say(job.gpus > 0 ? "onEach" : "onEachCpu", { nodes, gpus })]
    : [job.gpus > 0 ? gpus : say("onCpu")];
  if (fields?.gpu_model) parts.push(fields.gpu_model);
  if (job.share) parts.push(say("shared"));
  if (job.gpu_memory_mb > 0) parts.push(say("gpuMemory", { size: formatMegabytes(job.gpu_memory_mb) }));
  if (job.cpus > 0) parts.push(say("cpuCount", { count: job.cpus }));
  if (job.memory_mb > 0) parts.push(say("memory", { size: formatMegabytes(job.memory_mb) }));
  if (node) parts.push(say("wantsNode", { node }));
  if (fields?.restartable) parts.push(say("restartable"));
  if (fields?.service) parts.push(say("service"));
  if (ids.length > 0) parts.push(say("wantsGpus", { ids: ids.join(", ") }));
  return parts.join(say("comma"));
}
