import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { useAppActions, useOfferActions } from "./appActions";

it("offers what a part can do while it is there, as it was meant last", () => {
  const run = vi.fn();
  const offer = (fact: string) => ({
    key: "go",
    name: ["Go", "走"] as const,
    icon: null,
    run: () => run(fact),
  });
  const part = renderHook(({ fact }) => useOfferActions([offer(fact)]), { initialProps: { fact: "first" } });
  const search = renderHook(() => useAppActions());
  expect(search.result.current.map(({ name }) => name[0])).toEqual(["Go"]);
  part.rerender({ fact: "second" });
  search.result.current[0]?.run();
  expect(run).toHaveBeenCalledExactlyOnceWith("second");
  part.unmount();
  search.rerender();
  expect(search.result.current).toEqual([]);
});
