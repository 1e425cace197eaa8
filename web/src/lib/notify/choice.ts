/** Whether this browser is to tell when a job ends, and whether it can. Remembered in this browser. */
import { useSyncExternalStore } from "react";

/** `insecure`: browsers show notifications only for pages that came over https, or from this machine. */
export type Ability = "granted" | "ask" | "blocked" | "insecure" | "unsupported";

const KEY = "danlu.tellEnds";
const listeners = new Set<() => void>();

export function abilityOf(
  secure: boolean,
  notification: { permission: NotificationPermission } | undefined,
): Ability {
  if (!secure) return "insecure";
  if (!notification) return "unsupported";
  if (notification.permission === "granted") return "granted";
  return notification.permission === "denied" ? "blocked" : "ask";
}

export function ability(): Ability {
  return abilityOf(window.isSecureContext, "Notification" in window ? Notification : undefined);
}

export function isTold(): boolean {
  return localStorage.getItem(KEY) === "on";
}

/** Only ever called by a click: browsers refuse the question otherwise, and rightly. */
export async function chooseTold(told: boolean): Promise<void> {
  if (told) localStorage.setItem(KEY, "on");
  else localStorage.removeItem(KEY);
  tell();
  if (told && ability() === "ask") {
    await Notification.requestPermission();
    tell();
  }
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  // Permissions are changed elsewhere, and the page is come back to.
  window.addEventListener("focus", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
    window.removeEventListener("focus", listener);
  };
}

export function useTold(): { told: boolean; ability: Ability } {
  const told = useSyncExternalStore(subscribe, isTold);
  return { told, ability: useSyncExternalStore(subscribe, ability) };
}
