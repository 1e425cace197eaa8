import { Alert, Button } from "antd";
import { ApiError } from "@/lib/api/client";
import { useWords } from "@/lib/i18n/language";
import { words } from "./words";

/** An error in words, with its remedy, and a way to try again. */
export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const say = useWords(words);
  const hint = error instanceof ApiError ? error.problem.hint : undefined;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={message}
      description={hint}
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
