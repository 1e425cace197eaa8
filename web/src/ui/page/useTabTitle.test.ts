import { expect, test } from "vitest";
import { tabTitle } from "./useTabTitle";

test("the tab says what the page is, and how a job stands", () => {
  expect(tabTitle("Jobs")).toBe("Jobs – Danlu");
  expect(tabTitle("12 train · running", "running")).toBe("● 12 train · running – Danlu");
  expect(tabTitle("12 train · failed", "bad")).toBe("✗ 12 train · failed – Danlu");
  expect(tabTitle("")).toBe("Danlu");
});
