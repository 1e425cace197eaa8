import { Button, Result, Spin } from "antd";
import { useEffect } from "react";
import { useWords } from "@/lib/i18n/language";
import { words } from "./words";

export function Splash() {
  return (
    <div style={{ height: "100%", display: "grid", placeItems: "center" }}>
      <Spin size="large" />
    </div>
  );
}

/** The server does not answer: said, and tried again. */
export function Unreachable({ error, retry }: { error: Error; retry: () => void }) {
  const say = useWords(words);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new failure begins a new pause.
  useEffect(() => {
    const timer = setTimeout(retry, 2000);
    return () => clearTimeout(timer);
  }, [error, retry]);
  return (
    <Result
      status="warning"
      title={<h1 className="result-title">{say("unreachable")}</h1>}
      subTitle={say("unreachableHint")}
      extra={<Button onClick={retry}>{say("reconnectNow")}</Button>}
    />
  );
}
