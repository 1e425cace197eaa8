import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { App } from "antd";
import { useEffect, useEffectEvent } from "react";
import { BASE } from "@/lib/api/client";
import { jobQuery } from "@/lib/api/queries";
import type { JobDetail, JobState } from "@/lib/api/schema";
import { formatDuration } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { live } from "@/lib/live/connection";
import { useLive } from "@/lib/live/Live";
import { ability, isTold } from "@/lib/notify/choice";
import { type Ending, Endings, type Telling, tellingsOf } from "@/lib/notify/endings";
import { words } from "@/lib/notify/words";
import { useVocabulary } from "@/lib/vocabulary-words";
import { useMe } from "./session";

/** A cancelled list, or a lost node, ends many at once: they are told of together. */
const GATHER_MS = 1000;
const IN_PAGE_S = 10;
const SIGNS: Partial<Record<JobState, string>> = { succeeded: "✓", failed: "✗", cancelled: "✗" };

interface Words {
  title: string;
  body?: string;
}

/** Tells when a job of mine ends: by the browser, once for all its tabs; where that may not be, in the page in view. */
export function EndNotifier() {
  const me = useMe();
  const { onEvent } = useLive();
  const word = useTellingWords();
  const show = useShow();

  const tell = useEffectEvent(async (endings: Ending[]) => {
    const mine = new Set(await live().claim(endings.map(({ key }) => key)));
    for (const telling of tellingsOf(endings.filter(({ key }) => mine.has(key))))
      show(telling, await word(telling));
  });

  useEffect(() => {
    const endings = new Endings(me.name);
    let waiting: Ending[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    function flush() {
      timer = undefined;
      // What only the page can tell waits until one is in view.
      if (waiting.length === 0 || (ability() !== "granted" && !isInView())) return;
      const gathered = waiting;
      waiting = [];
      void tell(gathered);
    }
    const stop = onEvent((event) => {
      const ending = endings.hear(event);
      if (!ending || !isTold()) return;
      waiting.push(ending);
      timer ??= setTimeout(flush, GATHER_MS);
    });
    document.addEventListener("visibilitychange", flush);
    return () => {
      stop();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", flush);
    };
  }, [me.name, onEvent]);
  return null;
}

function isInView(): boolean {
  return document.visibilityState === "visible";
}

function useTellingWords(): (telling: Telling) => Promise<Words> {
  const client = useQueryClient();
  const say = useWords(words);
  const name = useVocabulary();

  function wordOne({ ref, state }: Ending, detail: JobDetail | null): Words {
    const { started_at: from, ended_at: to } = detail?.job ?? {};
    const facts = {
      sign: SIGNS[state] ?? "",
      job: [ref, detail?.job.name].filter(Boolean).join(" "),
      state: name(`state.${state}`),
    };
    const title =
      from != null && to != null
        ? say("endedAfter", { ...facts, time: formatDuration(to - from) })
        : say("ended", facts);
    return { title, body: state === "succeeded" ? undefined : detail?.message };
  }

  return async (telling) => {
    if (telling.kind === "many") {
      const { count, failed } = telling;
      const body = failed ? say("someFailed", { failed }) : say("allSucceeded");
      return { title: say("manyEnded", { count }), body };
    }
    const { ending } = telling;
    // What is known of the job may be from before its end.
    const asked = client.fetchQuery({ ...jobQuery(ending.ref), staleTime: 0 });
    return wordOne(ending, await asked.catch(() => null));
  };
}

function useShow(): (telling: Telling, words: Words) => void {
  const router = useRouter();
  const { notification } = App.useApp();

  function go(telling: Telling) {
    window.focus();
    const target =
      telling.kind === "one"
        ? ({ to: "/jobs/$ref", params: { ref: telling.ending.ref } } as const)
        : ({ to: "/jobs", search: { area: "history", mine: true } } as const);
    // A form that a user fills in stays as it is.
    if (/\/(new|edit)$/.test(window.location.pathname))
      window.open(router.buildLocation(target).href, "_blank");
    else void router.navigate(target);
  }

  return (telling, { title, body }) => {
    const { tag } = telling;
    const onClick = () => go(telling);
    if (showByBrowser(title, { body, tag }, onClick)) return;
    const duration = isInView() ? IN_PAGE_S : 0;
    notification[toneOf(telling)]({ key: tag, title, description: body, duration, onClick });
  };
}

function toneOf(telling: Telling): "success" | "warning" | "error" {
  if (telling.kind === "many") return telling.failed > 0 ? "warning" : "success";
  const { state } = telling.ending;
  return state === "succeeded" ? "success" : state === "failed" ? "error" : "warning";
}

/** Whether the browser shows it. */
function showByBrowser(title: string, options: NotificationOptions, onClick: () => void): boolean {
  if (ability() !== "granted") return false;
  try {
    const shown = new Notification(title, { ...options, icon: new URL("danlu.svg", BASE).href });
    shown.onclick = () => {
      shown.close();
      onClick();
    };
    return true;
  } catch {
    // Phones allow it, and have no way to do it from a page.
    return false;
  }
}
