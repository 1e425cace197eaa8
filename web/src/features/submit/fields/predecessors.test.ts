import { expect, test } from "vitest";
import type { JobRow } from "@/lib/api/schema";
import { offered } from "./predecessors";

const job = (id: number, name: string, owner: string, index: number | null = null) =>
  ({ id, ref: String(id), name, owner, index }) as JobRow;

const jobs = [
  job(3, "done", "li"),
  job(1, "Pretrain", "wang"),
  job(12, "eval", "li"),
  job(5, "sweep", "li", 2),
];

test.each([
  ["", [], [3, 1, 12]],
  ["pre", [], [1]],
  ["1", [], [1, 12]],
  [" LI ", [], [3, 12]],
  ["", [3, 12], [1]],
  ["nothing", [], []],
])("typed %j", (typed, chosen, ids) => {
  expect(offered(jobs, typed, chosen).map(({ id }) => id)).toEqual(ids);
});
