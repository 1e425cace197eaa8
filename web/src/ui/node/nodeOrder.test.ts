import { expect, it } from "vitest";
import { inOrder } from "./nodeOrder";

it("counts as people do", () => {
  const names = ["n10", "n2", "gpu-b", "n1"].map((name) => ({ name }));
  expect(inOrder(names).map(({ name }) => name)).toEqual(["gpu-b", "n1", "n2", "n10"]);
});
