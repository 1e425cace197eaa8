import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GATHER_MS, Invalidation } from "./invalidation";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A page that shows one answer; `answers` are given one by one, in the order of the questions. */
function pageWith(client: QueryClient) {
  const questions: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ["job", "1"],
    queryFn: () => new Promise<string>((resolve) => questions.push(resolve)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  observer.subscribe(() => undefined);
  return { questions, shown: () => observer.getCurrentResult().data };
}

test("news that come while the first answer is under way are not lost", async () => {
  const client = new QueryClient();
  const page = pageWith(client);
  const invalidation = new Invalidation(client);
  invalidation.add([["job", "1"]]);
  await vi.advanceTimersByTimeAsync(GATHER_MS);
  expect(page.questions).toHaveLength(1);
  page.questions[0]?.("starting");
  await vi.advanceTimersByTimeAsync(GATHER_MS);
  expect(page.questions).toHaveLength(2);
  page.questions[1]?.("running");
  await vi.advanceTimersByTimeAsync(GATHER_MS);
  expect(page.shown()).toBe("running");
  expect(page.questions).toHaveLength(2);
});

test("much news make one question", async () => {
  const client = new QueryClient();
  const page = pageWith(client);
  page.questions[0]?.("starting");
  await vi.advanceTimersByTimeAsync(0);
  const invalidation = new Invalidation(client);
  for (let news = 0; news < 5; news += 1) invalidation.add([["job", "1"]]);
  await vi.advanceTimersByTimeAsync(GATHER_MS);
  expect(page.questions).toHaveLength(2);
});
