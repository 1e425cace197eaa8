import type { RefObject } from "react";
import { useKey } from "@/lib/keyboard";

/** Up and down go from one row's link to the next; Enter opens it, as it does any link. */
export function useArrowKeys(list: RefObject<HTMLElement | null>): void {
  function step(by: 1 | -1) {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("[data-row-link]") ?? [])];
    const row = document.activeElement?.closest("tr");
    const at = links.findIndex((link) => row?.contains(link));
    const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by));
    links[next]?.focus();
  }
  useKey("ArrowDown", () => step(1));
  useKey("ArrowUp", () => step(-1));
}
