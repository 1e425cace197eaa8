import { useRouterState } from "@tanstack/react-router";
import { App } from "antd";
import { useCallback, useEffect, useId, useState } from "react";
import { ApiError } from "@/lib/api/client";
import { useRecovery } from "@/lib/api/recovery";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";

/**
 * Carries out something a person asked for: `busy` while it runs, its error in words, its success if said.
 *
 * Answers whether it worked. The error goes when it is done anew, when the page is left, and when what it lacked (the
 * server) is there again.
 */
export function useAct(): {
  busy: boolean;
  act: (doing: () => Promise<unknown>, done?: string) => Promise<boolean>;
} {
  const { message, notification } = App.useApp();
  const say = useWords(words);
  const key = useId();
  const [count, setCount] = useState(0);
  const [shown, setShown] = useState<unknown>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useRecovery(shown, () => notification.destroy(key));
  // What is gone from the page without the user leaving it, like a row or a menu, leaves its error to be read.
  // biome-ignore lint/correctness/useExhaustiveDependencies: going to another page takes the error away.
  useEffect(() => {
    const here = window.location.pathname;
    return () => {
      if (window.location.pathname !== here) notification.destroy(key);
    };
  }, [path]);
  const act = useCallback(
    async (doing: () => Promise<unknown>, done?: string) => {
      notification.destroy(key);
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
          key,
          title: error instanceof Error ? error.message : say("problem"),
          description: hint,
          role: "alert",
        });
        setShown(error);
        return false;
      } finally {
        setCount((n) => n - 1);
      }
    },
    [key, message, notification, say],
  );
  return { busy: count > 0, act };
}
