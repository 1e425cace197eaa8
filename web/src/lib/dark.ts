/** Light or dark: as the system has it, unless the user chose. */
import { useSyncExternalStore } from "react";

export type Shade = "system" | "light" | "dark";

const KEY = "danlu.shade";
const system = window.matchMedia?.("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

export function chosenShade(): Shade {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function isDark(): boolean {
  const shade = chosenShade();
  return shade === "system" ? Boolean(system?.matches) : shade === "dark";
}

function tell(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  for (const listener of listeners) listener();
}

export function chooseShade(shade: Shade): void {
  if (shade === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, shade);
  tell();
}

system?.addEventListener("change", tell);
tell();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark);
}

export function useShade(): Shade {
  return useSyncExternalStore(subscribe, chosenShade);
}
