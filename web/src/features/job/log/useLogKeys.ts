import { useEffect, useRef } from "react";
import { isFieldInUse } from "@/lib/focus";

/** What a key does with the log, also while it fills the window; nothing while a field or another dialog is in use. */
export function useLogKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const act = latest.current[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (event.defaultPrevented || event.isComposing || isFieldInUse() || isDialogOpen()) return;
      event.preventDefault();
      act();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function isDialogOpen(): boolean {
  return [...document.querySelectorAll('[role="dialog"]')].some(
    (dialog) => !dialog.matches(".log-card") && dialog.getClientRects().length > 0,
  );
}
