import type { NodeRow } from "@/lib/api/schema";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { kindsOf } from "@/ui/gpu/gpuKinds";
import { words } from "./words";

/** Whether its jobs are held to what they ask for. */
function guardedBy({ cpu_guard: cpus, memory_guard: memory }: NodeRow) {
  if (cpus && memory) return "limited";
  if (cpus) return "limitedCpus";
  return memory ? "limitedMemory" : "notLimited";
}

/** What the machine is, in one line. */
export function NodeFacts({ node }: { node: NodeRow }) {
  const say = useWords(words);
  const name = useVocabulary();
  const facts = [
    say("factCpus", { count: node.cpus }),
    say("factMemory", { size: formatMegabytes(node.memory_mb) }),
    ...kindsOf(node.gpus).map((kind) => say("factGpus", kind)),
    node.role !== "compute" && node.role && say("factRole", { role: name(`role.${node.role}`) }),
    node.address,
    node.version && say("factVersion", { version: node.version }),
    node.simulated && say("simulated"),
    say(node.runs_as_root ? "asRoot" : "asItself"),
    node.device_guard && say("guarded"),
    say(guardedBy(node)),
  ];
  return <>{facts.filter(Boolean).join(" · ")}</>;
}
