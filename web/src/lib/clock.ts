/** One ticking clock for the whole page: relative times and running durations move together. */
import { useSyncExternalStore } from "react";

let now = Date.now() / 1000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

function tick() {
  now = Date.now() / 1000;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    tick();
    timer = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  };
}

/** Seconds since the epoch, anew every second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
