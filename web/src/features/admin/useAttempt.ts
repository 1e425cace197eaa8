import { useCallback, useState } from "react";

/** Tries something that may be refused: `busy` while it runs, `error` until the next try. Answers whether it worked. */
export function useAttempt(): {
  busy: boolean;
  error: unknown;
  attempt: (doing: () => Promise<unknown>) => Promise<boolean>;
  forget: () => void;
} {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const attempt = useCallback(async (doing: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await doing();
      return true;
    } catch (problem) {
      setError(problem);
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  const forget = useCallback(() => setError(null), []);
  return { busy, error, attempt, forget };
}
