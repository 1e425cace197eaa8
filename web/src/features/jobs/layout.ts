/** Measures that the rows of a list are laid out by; the same numbers stand in JobGrid.css. */
import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from "react";

/** The bar of the app, which stays on top. */
const TOP_BAR = 56;
const HEAD = 40;
const CARDS = "(max-width: 1099px)";

export interface Measures {
  /** Rows are cards with their values below each other. */
  cards: boolean;
  rowHeight: number;
  /** How much of the window's top is covered. */
  covered: number;
}

const TABLE: Measures = { cards: false, rowHeight: 60, covered: TOP_BAR + HEAD };
const STACK: Measures = { cards: true, rowHeight: 116, covered: TOP_BAR };

export function useMeasures(): Measures {
  const cards = useSyncExternalStore(subscribe, () => window.matchMedia(CARDS).matches);
  return cards ? STACK : TABLE;
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(CARDS);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
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
