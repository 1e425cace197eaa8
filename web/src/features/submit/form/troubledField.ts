import { isNothingFocused } from "@/lib/focus";

/** Goes to the first field that something is wrong with, unless the user has gone on since it was handed in. */
export function goToTroubledField(handedInFrom: Element | null): void {
  if (document.activeElement !== handedInFrom && !isNothingFocused()) return;
  const field = document.querySelector(".job-editor .field-problem")?.closest(".field");
  const control =
    field?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    field?.querySelector<HTMLElement>("input, textarea, [contenteditable=true], button");
  control?.focus();
}
