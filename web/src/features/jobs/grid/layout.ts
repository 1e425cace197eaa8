/** Measures that the rows of a list are laid out by; the same numbers stand in JobGrid.css. */
import { type RefObject, useLayoutEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Heights } from "../heights";

/** The bar of the app, which stays on top. */
const TOP_BAR = 56;
const HEAD = 36;
const CARDS = "(max-width: 799px)";

export interface Measures {
  /** Rows are cards with their values below each other. */
  cards: boolean;
  rowHeight: number;
  /** How much of the window's top is covered. */
  covered: number;
}

const TABLE: Measures = { cards: false, rowHeight: 48, covered: TOP_BAR + HEAD };
const COMPACT: Measures = { ...TABLE, rowHeight: 28 };
const STACK: Measures = { cards: true, rowHeight: 124, covered: TOP_BAR };

export function useMeasures(compact: boolean): Measures {
  const cards = useSyncExternalStore(subscribe, () => window.matchMedia(CARDS).matches);
  return cards ? STACK : compact ? COMPACT : TABLE;
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(CARDS);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** The heights of the first rows, which are as high as what they say; measured again when that changes. */
export function useHeights(body: RefObject<HTMLElement | null>, count: number, rest: number): Heights {
  const [first, setFirst] = useState<readonly number[]>([]);
  useLayoutEffect(() => {
    const list = body.current;
    if (!list) return;
    function measure() {
      const measured = Array.from({ length: count }, (_, index) => {
        const row = list?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"]`);
        // One that is not in the page now is as high as it was.
        return row?.offsetHeight ?? first[index] ?? rest;
      });
      if (measured.join() !== first.join()) setFirst(measured);
    }
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  });
  return useMemo(() => ({ first: first.slice(0, count), rest }), [first, count, rest]);
}

/** How far below the top of the page an element begins, also after what is above it has changed its height. */
export function useTopOf(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const content = element.current?.closest("main");
    function measure() {
      if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    }
    measure();
    const observer = new ResizeObserver(measure);
    if (content)
      for (const each of [content, content.parentElement, ...content.children])
        if (each) observer.observe(each);
    for (const each of siblingsAbove(element.current)) observer.observe(each);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

function siblingsAbove(element: HTMLElement | null): Element[] {
  const found: Element[] = [];
  for (let at = element; at && at.tagName !== "MAIN"; at = at.parentElement) {
    for (let each = at.previousElementSibling; each; each = each.previousElementSibling) found.push(each);
  }
  return found;
}
