import { Button, Result } from "antd";
import { useWords } from "@/lib/i18n/language";
import { words } from "@/ui/words";

/** A fault of ours, or a chunk of an older version that is gone: said plainly, with a way on. */
export function BrokenPage({ error }: { error: unknown }) {
  const say = useWords(words);
  return (
    <Result
      status="error"
      title={<h1 className="result-title">{say("brokenPage")}</h1>}
      subTitle={<span className="mono">{error instanceof Error ? error.message : String(error)}</span>}
      extra={<Button onClick={() => window.location.reload()}>{say("reload")}</Button>}
    />
  );
}
