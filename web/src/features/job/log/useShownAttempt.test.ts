import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useShownAttempt } from "./useShownAttempt";

const show = (latest: number, chosen?: number) =>
  renderHook(({ latest, chosen }) => useShownAttempt(latest, chosen), { initialProps: { latest, chosen } });

it("who follows a job is taken to its next attempt", () => {
  const { result, rerender } = show(1);
  rerender({ latest: 2, chosen: undefined });
  expect([result.current.attempt, result.current.newer]).toEqual([2, null]);
});

it("who reads keeps what they read, and is offered the next attempt", () => {
  const { result, rerender } = show(1);
  act(() => result.current.hold(true));
  rerender({ latest: 2, chosen: undefined });
  expect([result.current.attempt, result.current.newer]).toEqual([1, 2]);
  rerender({ latest: 3, chosen: undefined });
  expect([result.current.attempt, result.current.newer]).toEqual([1, 3]);
  act(() => result.current.goOn());
  expect([result.current.attempt, result.current.newer]).toEqual([3, null]);
});

it("who reads on to the end of an attempt is not taken away from it", () => {
  const { result, rerender } = show(1);
  act(() => result.current.hold(true));
  rerender({ latest: 2, chosen: undefined });
  act(() => result.current.hold(false));
  expect([result.current.attempt, result.current.newer]).toEqual([1, 2]);
});

it("who chose an attempt is told only of one that begins while they look", () => {
  const { result, rerender } = show(3, 1);
  expect([result.current.attempt, result.current.newer]).toEqual([1, null]);
  rerender({ latest: 4, chosen: 1 });
  expect([result.current.attempt, result.current.newer]).toEqual([1, 4]);
});

it("a job that has not begun shows its first attempt when that begins", () => {
  const { result, rerender } = show(0);
  rerender({ latest: 1, chosen: undefined });
  expect([result.current.attempt, result.current.newer]).toEqual([1, null]);
});
