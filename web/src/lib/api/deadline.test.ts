import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, answer, api, fetchRaw } from "./client";
import { within } from "./deadline";
import { lackBehind } from "./recovery";

/** A server that takes a connection and says nothing. */
function silent(request: Request, { signal }: { signal: AbortSignal }): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    request.signal.addEventListener("abort", () => reject(request.signal.reason));
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function failure(asked: Promise<unknown>, afterMs: number): Promise<ApiError> {
  let failed: unknown = null;
  asked.catch((error) => {
    failed = error;
  });
  await vi.advanceTimersByTimeAsync(afterMs - 1000);
  expect(failed).toBeNull();
  await vi.advanceTimersByTimeAsync(1001);
  expect(failed).toBeInstanceOf(ApiError);
  return failed as unknown as ApiError;
}

test("a question without an answer ends in words, and is asked again when the server is back", async () => {
  vi.stubGlobal("fetch", silent);
  for (const ask of [() => fetchRaw("/me"), () => answer(api.GET("/api/v1/me"))]) {
    const error = await failure(ask(), 30_000);
    expect([error.status, error.code]).toEqual([0, "no_answer"]);
    expect(error.message).toContain("30 seconds");
    expect(lackBehind(error)).toBe("server");
  }
});

test("whether a change was made is not known: that stays said", async () => {
  vi.stubGlobal("fetch", silent);
  const error = await failure(answer(api.POST("/api/v1/scheduling/pass")), 30_000);
  expect([error.code, error.problem.hint]).toEqual(["maybe_done", undefined]);
  expect(lackBehind(error)).toBeNull();
});

test("what carries a key can be sent again", async () => {
  vi.stubGlobal("fetch", silent);
  const params = { header: { "Idempotency-Key": "a" } };
  const error = await failure(answer(api.POST("/api/v1/jobs", { params, body: {} as never })), 30_000);
  expect(error.problem.hint).toBe("Send it again: it will not be done twice.");
});

test("what takes longer may have longer", async () => {
  vi.stubGlobal("fetch", silent);
  const error = await failure(answer(api.POST("/api/v1/scheduling/pass", { fetch: within(90_000) })), 90_000);
  expect(error.message).toContain("90 seconds");
});

test("an answer that comes slowly is waited for, one that stops coming is not", async () => {
  let sender: ReadableStreamDefaultController<Uint8Array> | undefined;
  vi.stubGlobal("fetch", async (_request: Request, { signal }: { signal: AbortSignal }) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        sender = controller;
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
    return new Response(body);
  });
  let failed: ApiError | null = null;
  answer(api.GET("/api/v1/status")).catch((error) => {
    failed = error;
  });
  await vi.advanceTimersByTimeAsync(1);
  for (let piece = 0; piece < 5; piece += 1) {
    await vi.advanceTimersByTimeAsync(20_000);
    sender?.enqueue(new TextEncoder().encode("x"));
  }
  await vi.advanceTimersByTimeAsync(20_000);
  expect(failed).toBeNull();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(failed).toMatchObject({ status: 0, code: "no_answer" });
});

test("who gives up by themselves is told nothing", async () => {
  vi.stubGlobal("fetch", silent);
  const leaving = new AbortController();
  const asked = fetchRaw("/me", { signal: leaving.signal });
  leaving.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
});

test("an answer that may have no body is passed on as it came, though the browser gives it one", async () => {
  const answered = new Response(null, { status: 204 });
  Object.defineProperty(answered, "body", { value: new ReadableStream() });
  vi.stubGlobal("fetch", async () => answered);
  expect((await fetchRaw("/me/password", { method: "POST" })).status).toBe(204);
});
