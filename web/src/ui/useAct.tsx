import { App } from "antd";
import { useCallback, useState } from "react";
import { ApiError } from "@/lib/api/client";
import { useWords } from "@/lib/i18n/language";
import { words } from "./words";

/**
 * Carries out something a person asked for: `busy` while it runs, its error in words, its success if said.
 *
 * Answers whether it worked.
 */
export function useAct(): {
  busy: boolean;
  act: (doing: () => Promise<unknown>, done?: string) => Promise<boolean>;
} {
  const { message, notification } = App.useApp();
  const say = useWords(words);
  const [count, setCount] = useState(0);
  const act = useCallback(
    async (doing: () => Promise<unknown>, done?: string) => {
      setCount((n) => n + 1);
      try {
        await doing();
        if (done) void message.success(done);
        return true;
      } catch (error) {
        // Who has to sign in again is asked to, over the page; that says it all.
        if (error instanceof ApiError && error.status === 401 && error.code === "not_signed_in") return false;
        const hint = error instanceof ApiError ? error.problem.hint : undefined;
        notification.error({
          title: error instanceof Error ? error.message : say("problem"),
          description: hint,
          role: "alert",
        });
        return false;
      } finally {
        setCount((n) => n - 1);
      }
    },
    [message, notification, say],
  );
  return { busy: count > 0, act };
}
