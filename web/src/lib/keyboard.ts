import { useEffect, useRef } from "react";

/** Whether a key belongs to what has the focus: a field being typed in, an open dialog. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest(".cm-editor")) return true;
  return (
    ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) || target.closest('[role="dialog"]') !== null
  );
}

/** Does something on a key, while the user is not typing. */
export function useKey(key: string, act: (event: KeyboardEvent) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
      if (isTyping(event.target)) return;
      event.preventDefault();
      latest.current(event);
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [key]);
}

/** For `aria-keyshortcuts` of a button that hands a form in. */
export const SUBMIT_SHORTCUTS = "Control+Enter Meta+Enter";

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys that hand a form in, as they are written on this keyboard. */
export function submitKeys(): string {
  return isMac ? "⌘ Enter" : "Ctrl Enter";
}

/** The keys that lead to the search, as they are written on this keyboard. */
export function searchKeys(): string {
  return isMac ? "⌘ K" : "Ctrl K";
}

/** Ctrl+K (⌘+K) leads to the search from anywhere, a field that is typed in included. */
export function useSearchKey(act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      // A Mac's Ctrl+K cuts the rest of a line.
      const isHeld = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      if (!isHeld || event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey || event.isComposing)
        return;
      // Before the browser goes to its own field, and an editor cuts a line.
      event.preventDefault();
      event.stopPropagation();
      latest.current();
    }
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, []);
}

/** Ctrl+Enter (⌘+Enter) in a field hands in the form or the dialog that the field is in, wherever that is. */
export function useSubmitKey(): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      if (event.isComposing || event.repeat || !isTyping(event.target)) return;
      const field = event.target as HTMLElement;
      const button =
        field.closest("form")?.querySelector<HTMLButtonElement>('button[type="submit"]') ??
        field
          .closest('[role="dialog"]')
          ?.querySelector<HTMLButtonElement>(".ant-modal-footer .ant-btn-primary");
      if (!button) return;
      // Before the field takes it for a line break.
      event.preventDefault();
      event.stopPropagation();
      if (!button.disabled) button.click();
    }
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, []);
}
