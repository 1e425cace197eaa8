/** Whether the page is as narrow as a phone: what is touched with a finger is larger there. */
import { useSyncExternalStore } from "react";

// The same width as in the style sheets.
const narrow = window.matchMedia?.("(max-width: 767px)");

function subscribe(listener: () => void): () => void {
  narrow?.addEventListener("change", listener);
  return () => narrow?.removeEventListener("change", listener);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => Boolean(narrow?.matches));
}
