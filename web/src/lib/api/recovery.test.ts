import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./client";
import { lackBehind, tellRecovered, whenRecovered } from "./recovery";

const failed = (status: number, code = `http_${status}`) => new ApiError(status, { code, message: "no" });
const away = failed(0, "unreachable");
const signedOut = failed(401, "not_signed_in");

/** A server that answers `/me` with these, one after the other, and then as last. */
function answering(...statuses: number[]) {
  const asked = vi.fn(async () => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    if (status === 0) throw new TypeError("no network");
    return new Response("{}", { status });
  });
  vi.stubGlobal("fetch", asked);
  return asked;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  tellRecovered("server", "session");
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("which errors are for want of a connection or a session", () => {
  expect([away, failed(502), failed(504)].map(lackBehind)).toEqual(["server", "server", "server"]);
  expect(lackBehind(signedOut)).toBe("session");
  const others = [failed(401, "wrong_password"), failed(404), failed(503, "disk_full"), new Error("x"), null];
  expect(others.map(lackBehind)).toEqual([null, null, null, null, null]);
});

test("each is told once, as soon as what it lacked is there", async () => {
  const asked = answering(0, 401, 200);
  const told: string[] = [];
  whenRecovered(away, () => told.push("server"));
  whenRecovered(signedOut, () => told.push("session"));
  whenRecovered(failed(404), () => told.push("never"));
  await vi.advanceTimersByTimeAsync(2000);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(told).toEqual(["server"]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(told).toEqual(["server", "session"]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toHaveBeenCalledTimes(3);
});

test("who no longer waits is not told, and a sign-in tells at once", async () => {
  answering(200);
  const told: string[] = [];
  whenRecovered(away, () => told.push("left"))();
  whenRecovered(signedOut, () => told.push("stayed"));
  tellRecovered("server", "session");
  expect(told).toEqual(["stayed"]);
});
