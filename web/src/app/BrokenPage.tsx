import { Button, Result } from "antd";
import { ApiError } from "@/lib/api/client";
import { useRecovery } from "@/lib/api/recovery";
import { useWords } from "@/lib/i18n/language";
import { useTabTitle } from "@/ui/page/useTabTitle";
import { words } from "@/ui/words";

const AWAY = new ApiError(0, { code: "unreachable", message: "" });
/** What browsers and the bundler say when a part of the app does not arrive. */
const NOT_LOADED = /preload CSS|dynamically imported module|importing a module script/i;
const RELOADED = "danlu.reloaded";
const LONG_AGO_MS = 30_000;

/**
 * A fault of ours, said plainly, with a way on. Where only a part of the app did not arrive (the server is away, or has
 * a newer one), the page is loaded anew once the server answers; not again and again.
 */
export function BrokenPage({ error }: { error: unknown }) {
  const say = useWords(words);
  const text = error instanceof Error ? error.message : String(error);
  const isNotLoaded = NOT_LOADED.test(text);
  const title = say(isNotLoaded ? "notLoaded" : "brokenPage");
  useTabTitle(title);
  useRecovery(isNotLoaded && mayReload() ? AWAY : null, reload);
  return (
    <Result
      status={isNotLoaded ? "warning" : "error"}
      title={<h1 className="result-title">{title}</h1>}
      subTitle={isNotLoaded ? say("notLoadedHint") : <span className="mono">{text}</span>}
      extra={<Button onClick={reload}>{say("reload")}</Button>}
    />
  );
}

function mayReload(): boolean {
  return Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) > LONG_AGO_MS;
}

function reload(): void {
  sessionStorage.setItem(RELOADED, String(Date.now()));
  window.location.reload();
}
