/** Who comes late takes the focus from no field that is in use meanwhile. */
export function isNothingFocused(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Whether the user may be typing: what opens by itself then leaves its own fields alone, or it would get that text. */
export function isFieldInUse(): boolean {
  const active = document.activeElement;
  return (
    active instanceof HTMLElement && (active.isContentEditable || active.matches("input, textarea, select"))
  );
}
