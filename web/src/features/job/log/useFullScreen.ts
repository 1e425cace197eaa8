import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { isFieldInUse } from "@/lib/focus";
import { useKey } from "@/lib/keyboard";

export interface FullScreen {
  readonly isFull: boolean;
  toggle(): void;
}

const REACHABLE = "a[href], button:not(:disabled), input:not(:disabled), [tabindex]";

/** A card over the whole window, and back. The focus stays inside, and goes back to where it was, as does the page. */
export function useFullScreen(card: RefObject<HTMLElement | null>, isPossible: boolean): FullScreen {
  const [isWanted, setWanted] = useState(false);
  const isFull = isWanted && isPossible;
  const scrolled = useRef(0);
  const toggle = useCallback(() => {
    if (!isFull) scrolled.current = window.scrollY;
    setWanted(!isFull);
  }, [isFull]);
  useKey("f", () => isPossible && toggle());

  useLayoutEffect(() => {
    const element = card.current;
    if (!isFull || !element) return;
    const before = document.activeElement;
    const isMoved = !element.contains(before);
    if (isMoved) element.querySelector<HTMLElement>("#log-text")?.focus({ preventScroll: true });
    return () => {
      if (isMoved && before instanceof HTMLElement) before.focus({ preventScroll: true });
      // The page was shorter while the log did not stand in it.
      window.scrollTo(0, scrolled.current);
    };
  }, [isFull, card]);

  useEffect(() => {
    const element = card.current;
    if (!isFull || !element) return;
    function onKey(event: KeyboardEvent) {
      if (!element || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : document.body;
      const dialog = target.closest('[role="dialog"]');
      if (dialog && dialog !== element) return;
      if (event.key === "Tab") keepInside(element, event);
      else if (
        (event.key === "Escape" && !hasItsOwnEscape(target)) ||
        (event.key === "f" && !isFieldInUse())
      ) {
        event.preventDefault();
        setWanted(false);
      }
    }
    // Before those that close on the same key: afterwards it cannot be seen that they were open.
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, [isFull, card]);

  return useMemo(() => ({ isFull, toggle }), [isFull, toggle]);
}

/** An open choice closes, and a search is cleared, before the log leaves the full screen. */
function hasItsOwnEscape(target: Element): boolean {
  if (target instanceof HTMLInputElement && target.value) return true;
  return (
    target.closest('[aria-expanded="true"]') !== null ||
    document.querySelector(".ant-dropdown:not(.ant-dropdown-hidden)") !== null
  );
}

function keepInside(element: HTMLElement, event: KeyboardEvent): void {
  const reachable = [...element.querySelectorAll<HTMLElement>(REACHABLE)].filter(
    (each) => each.tabIndex >= 0 && each.getClientRects().length > 0,
  );
  const at = reachable.indexOf(document.activeElement as HTMLElement);
  const edge = event.shiftKey ? 0 : reachable.length - 1;
  if (at >= 0 && at !== edge) return;
  event.preventDefault();
  reachable[event.shiftKey ? reachable.length - 1 : 0]?.focus();
}
