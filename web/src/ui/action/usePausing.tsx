import { useQueryClient } from "@tanstack/react-query";
import { App } from "antd";
import { answer, api } from "@/lib/api/client";
import { keys, statusQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";

/** Pauses the scheduling, after asking, and resumes it. `carryOut` does it and tells how it went. */
export function usePausing(carryOut: (doing: () => Promise<unknown>, done: string) => Promise<unknown>) {
  const say = useWords(words);
  const client = useQueryClient();
  const { modal } = App.useApp();

  async function change(paused: boolean) {
    const asked = api.PATCH("/api/v1/scheduling", { body: { paused } });
    client.setQueryData(keys.scheduling, await answer(asked));
  }

  function pause() {
    const waiting = client.getQueryData(statusQuery.queryKey)?.waiting ?? 0;
    void modal.confirm({
      title: say("pauseQuestion"),
      content: say("pauseWarning", { waiting }),
      okText: say("pauseScheduling"),
      onOk: () => carryOut(() => change(true), say("wasPaused")),
    });
  }

  function resume() {
    void carryOut(() => change(false), say("wasResumed"));
  }

  return { pause, resume };
}
