import { afterEach, expect, it } from "vitest";
import { recentOf, withRecent } from "./recent";

afterEach(() => sessionStorage.clear());

it("has each address once, the latest first, and not too many", () => {
  let recent: string[] = [];
  for (const address of ["/jobs", "/nodes", "/jobs", "/jobs/7"]) recent = withRecent(recent, address);
  expect(recent).toEqual(["/jobs/7", "/jobs", "/nodes"]);
  for (let n = 0; n < 50; n += 1) recent = withRecent(recent, `/jobs/${n}`);
  expect(recent.length).toBeLessThan(10);
});

it("is each user's own, and bears what is no list", () => {
  sessionStorage.setItem("danlu.recent.li", '["/jobs"]');
  sessionStorage.setItem("danlu.recent.wang", "{");
  expect([recentOf("li"), recentOf("wang"), recentOf("ann")]).toEqual([["/jobs"], [], []]);
});
