import { type KeyboardEvent, useEffect } from "react";
import type { Roving } from "./useRoving";

interface Keys {
  roving: Roving;
  count: number;
  pageRows: number;
  onOpen: (index: number) => void;
  onChoose: (index: number, extend: boolean) => void;
  onClear: () => void;
  /** Null where the order is not theirs to change. */
  onShift: ((index: number, by: -1 | 1) => void) | null;
  /** The end of the list, which may have to be loaded first. */
  onEnd: () => void;
}

/** The keyboard in a list: arrows choose a row, Enter opens it, Space selects it, Alt+arrows move it. */
export function useGridKeys({ roving, count, pageRows, onOpen, onChoose, onClear, onShift, onEnd }: Keys) {
  const { activeIndex, focus } = roving;
  useEffect(() => {
    // From anywhere on the page, while nothing else has the focus.
    function enter(event: globalThis.KeyboardEvent) {
      const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
      const at = document.activeElement;
      if (!isArrow || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || count === 0)
        return;
      if (at !== document.body && at?.id !== "content") return;
      event.preventDefault();
      focus(activeIndex);
    }
    window.addEventListener("keydown", enter);
    return () => window.removeEventListener("keydown", enter);
  }, [activeIndex, count, focus]);

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const target = event.target as HTMLElement;
    // Keys pressed in a menu that hangs on a row come by here as well.
    if (!event.currentTarget.contains(target) || event.defaultPrevented || event.ctrlKey || event.metaKey)
      return;
    if (handle(event, target.getAttribute("role") === "row")) event.preventDefault();
  }

  function handle(event: KeyboardEvent, onRow: boolean): boolean {
    const by = { ArrowUp: -1, ArrowDown: 1, PageUp: -pageRows, PageDown: pageRows }[event.key];
    if (by !== undefined) {
      if (event.altKey) {
        if (!onShift || Math.abs(by) !== 1) return false;
        onShift(activeIndex, by < 0 ? -1 : 1);
        return true;
      }
      const to = Math.min(Math.max(activeIndex + by, 0), count - 1);
      focus(to);
      if (event.shiftKey && to !== activeIndex) onChoose(to, true);
      return true;
    }
    switch (event.key) {
      case "Home":
        focus(0);
        return true;
      case "End":
        onEnd();
        return true;
      case "Escape":
        onClear();
        return true;
      case "Enter":
        if (onRow) onOpen(activeIndex);
        return onRow;
      case " ":
        if (onRow) onChoose(activeIndex, event.shiftKey);
        return onRow;
      default:
        return false;
    }
  }

  return onKeyDown;
}
