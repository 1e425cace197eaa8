/** In which orders a list can be seen. Without one, each area has its usual order. */
import type { AreaName, SortName } from "../address";
import type { words } from "../words";

interface Sort {
  value: SortName | "usual";
  word: keyof typeof words;
}

const USUAL: Record<AreaName, Sort["word"]> = {
  waiting: "lineOrder",
  running: "latestStart",
  history: "latestEnd",
};
const BY_NAME: readonly Sort[] = [
  { value: "name", word: "name" },
  { value: "owner", word: "owner" },
];

export function sortsOf(area: AreaName): Sort[] {
  return [
    { value: "usual", word: USUAL[area] },
    // What runs stands newest first as it is.
    ...(area === "running" ? [] : [{ value: "newest", word: "newest" } as const]),
    { value: "oldest", word: "oldest" },
    { value: "longest", word: area === "waiting" ? "longestWaiting" : "longestRunning" },
    ...BY_NAME,
  ];
}
