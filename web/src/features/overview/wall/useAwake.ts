import { useEffect } from "react";

/** Keeps the display on while this is shown, where the browser can. */
export function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let over = false;
    async function hold() {
      if (over || document.visibilityState !== "visible") return;
      try {
        lock = await navigator.wakeLock?.request("screen");
        if (over) void lock?.release();
      } catch {
        // A battery that runs low, or a browser that does not let us: the display sleeps as it always did.
      }
    }
    // A lock is lost whenever the page is hidden.
    document.addEventListener("visibilitychange", hold);
    void hold();
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", hold);
      void lock?.release();
    };
  }, []);
}
