import { expect, it } from "vitest";
import type { NodeRow } from "@/lib/api/schema";
import { sharesOf } from "./shares";

const holders = {
  1: { id: 1, owner: "li", name: "", share: false },
  2: { id: 2, owner: "wu", name: "", share: true },
  3: { id: 3, owner: "wu", name: "", share: true },
};

function node(...gpus: { jobs: number[]; job?: number; user?: string }[]): NodeRow {
  return { gpus } as unknown as NodeRow;
}

it("counts a GPU once for each of those on it, the most first", () => {
  expect(
    sharesOf([node({ jobs: [2, 3] }, { jobs: [1, 2] }), node({ jobs: [] }, { jobs: [2] })], holders),
  ).toEqual([
    { owner: "wu", gpus: 3 },
    { owner: "li", gpus: 1 },
  ]);
});

it("knows the owner of a job that is not listed yet from the GPU itself", () => {
  expect(sharesOf([node({ jobs: [9], job: 9, user: "li" })], {})).toEqual([{ owner: "li", gpus: 1 }]);
});
