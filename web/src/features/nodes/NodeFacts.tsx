import type { NodeRow } from "@/lib/api/schema";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { kindsOf } from "./kinds";
import { words } from "./words";

/** What the machine is, in one line. */
export function NodeFacts({ node }: { node: NodeRow }) {
  const say = useWords(words);
  const facts = [
    say("factCpus", { count: node.cpus }),
    say("factMemory", { size: formatMegabytes(node.memory_mb) }),
    ...kindsOf(node.gpus).map(({ name, count }) => say("factGpus", { name, count })),
    node.role !== "compute" && node.role && say("factRole", { role: node.role }),
    node.address,
    node.version && say("factVersion", { version: node.version }),
    node.simulated && say("simulated"),
    say(node.runs_as_root ? "asRoot" : "asItself"),
    node.device_guard && say("guarded"),
  ];
  return <>{facts.filter(Boolean).join(" · ")}</>;
}
