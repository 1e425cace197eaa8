import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Heights, indexAt } from "../heights";
import { newOnTop, shiftOf } from "./anchor";
import type { Measures } from "./layout";

/**
 * Holds what the user reads in its place while rows come and go above it.
 *
 * Answers how many are new on top since then; at the top of the list they simply appear.
 */
export function useStillness(
  refs: readonly string[],
  listTop: number,
  heights: Heights,
  { covered }: Measures,
) {
  const [fresh, setFresh] = useState(0);
  const before = useRef(refs);
  const measures = useRef({ listTop, heights, covered });
  measures.current = { listTop, heights, covered };

  useLayoutEffect(() => {
    const old = before.current;
    before.current = refs;
    if (old === refs) return;
    const scrolled = scrolledInto(measures.current);
    if (scrolled <= 0) return;
    const places = new Map(refs.map((ref, index) => [ref, index]));
    const shift = shiftOf(old, places, indexAt(measures.current.heights, scrolled));
    if (shift !== 0) window.scrollBy(0, shift * measures.current.heights.rest);
    const above = newOnTop(old, places);
    if (above > 0) setFresh((count) => count + above);
  }, [refs]);

  useEffect(() => {
    function onScroll() {
      if (scrolledInto(measures.current) <= 0) setFresh(0);
    }
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, []);

  const toTop = useCallback(() => {
    const { listTop, covered } = measures.current;
    window.scrollTo({ top: Math.max(0, listTop - covered) });
    setFresh(0);
  }, []);
  return { fresh, toTop };
}

/** How much of the list has gone below what covers the top of the window. */
function scrolledInto({ listTop, covered }: { listTop: number; covered: number }): number {
  return window.scrollY + covered - listTop;
}
