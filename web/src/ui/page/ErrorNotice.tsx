import { Alert, Button } from "antd";
import { useState } from "react";
import { ApiError } from "@/lib/api/client";
import { useRecovery } from "@/lib/api/recovery";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";

/**
 * An error in words, with its remedy, and a way to try again.
 *
 * One for want of the server or of a session goes when that is back: what failed is tried again, or else the notice is
 * taken away.
 */
export function ErrorNotice({ error, retry, hint }: { error: unknown; retry?: () => void; hint?: string }) {
  const say = useWords(words);
  const [over, setOver] = useState<unknown>(null);
  useRecovery(error, () => (retry ? retry() : setOver(error)));
  if (over !== null && over === error) return null;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={message}
      description={hint ?? (error instanceof ApiError ? error.problem.hint : undefined)}
      action={
        retry && (
          <Button size="small" onClick={retry}>
            {say("retry")}
          </Button>
        )
      }
    />
  );
}
