import { useCallback, useState } from "react";

export interface ShownAttempt {
  /** The attempt whose log is shown. */
  readonly attempt: number;
  /** One that has begun since, while the user looked at another. */
  readonly newer: number | null;
  /** Whether the view stands still; then no new attempt takes its place. */
  hold(isHeld: boolean): void;
  /** Show the latest, where the address asks for none. */
  goOn(): void;
}

/** Which attempt to show: the one of the address, or the latest; but a user who reads keeps what they read. */
export function useShownAttempt(latest: number, chosen: number | undefined): ShownAttempt {
  const [isHeld, hold] = useState(false);
  const [seen, setSeen] = useState(latest);
  /** The latest that was shown, or that was there when an earlier one was chosen. */
  const [known, setKnown] = useState(latest);
  if (latest !== seen) {
    setSeen(latest);
    if (!isHeld && chosen === undefined) setKnown(latest);
  }
  const attempt = chosen ?? known;
  const goOn = useCallback(() => setKnown(latest), [latest]);
  return { attempt, newer: latest > known && latest > attempt ? latest : null, hold, goOn };
}
