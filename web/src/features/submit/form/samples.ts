/** Random jobs for tests of what holds for every job; the same ones each time. */
import type { EndReason, JobFields, Launcher } from "@/lib/api/schema";

function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

const TEXTS = [
  "python train.py",
  "#!/bin/bash\nset -e\necho 'a  b'\n",
  "训练",
  "/data/li/run 1",
  "a=b",
  "0-9:3,20%2",
];
const LAUNCHERS: Launcher[] = ["plain", "torchrun", "ray"];
const REASONS: EndReason[] = ["exit_code", "signal", "node_lost", "gpu_fault"];

/** The fields of a whole job, as the server shows them: nothing left out, nothing of it empty text. */
export function sampleJobs(count: number, seed = 7): Required<JobFields>[] {
  const random = makeRandom(seed);
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const some = <T>(choices: readonly T[]): T[] => choices.filter(() => random() < 0.5);
  const maybe = <T>(value: T): T | null => (random() < 0.5 ? value : null);
  const flag = () => random() < 0.5;
  return Array.from({ length: count }, () => ({
    command: pick(TEXTS),
    arguments: some(["--lr", "0.1", "", " x "]),
    name: pick(TEXTS).trim().replaceAll("\n", " "),
    directory: pick(["/", "/data/li", "/data/a b"]),
    environment: maybe(pick(["torch", "/envs/torch"])),
    node: maybe(pick(["n1", "n2"])),
    nodes: pick(["1", "2", "1:4", "auto"]),
    launcher: pick(LAUNCHERS),
    spread: flag(),
    only_nodes: some(["n1", "n2", "n10"]),
    exclude_nodes: some(["n3"]),
    gpu_model: maybe("A100"),
    restartable: flag(),
    service: flag(),
    gpus: pick([0, 1, 8, "auto"] as const),
    gpu_ids: some([0, 1, 2, 7]),
    gpu_arg: maybe("--gpus"),
    cpus: maybe(pick([1, 16])),
    memory_mb: maybe(pick([1, 500, 1024, 16384])),
    share: flag(),
    no_sharing: flag(),
    gpu_memory_mb: maybe(pick([100, 8192])),
    stage: some(["/data/li/set", "/data/a, b"]),
    nice: pick([0, 1, 19]),
    array: maybe(pick(["0-99%10", "1,3,5"])),
    time_limit_s: maybe(pick([1, 0.5, 90, 5400, 604800])),
    grace_s: pick([0, 10, 12.5, 3600]),
    after: some([3, 4]),
    after_ok: some([5, 6]),
    urgent: flag(),
    hold: flag(),
    retries: pick([0, 3]),
    retry_backoff_s: pick([0, 10, 61]),
    retry_on: some(REASONS),
    stdout: maybe("out.txt"),
    stderr: maybe("/dev/null"),
    variables: Object.fromEntries(
      some([["A", "1"] as const, ["TOKEN", "a=b c\n"] as const, ["EMPTY", ""] as const]),
    ),
    tags: Object.fromEntries(some([["project", "vit"] as const, ["种子", "a b=c"] as const])),
    description: maybe("two\nlines"),
    wait_for_hardware: flag(),
    call: null,
  }));
}
