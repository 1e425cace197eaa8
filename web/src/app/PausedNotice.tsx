import { useQuery } from "@tanstack/react-query";
import { Alert, Button } from "antd";
import { api } from "@/lib/api/client";
import { schedulingQuery, statusQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { Ago } from "@/ui/Time";
import { useAct } from "@/ui/useAct";
import { useMe } from "./session";
import { words } from "./words";

/** Everybody is told that nothing starts, by whom and since when; an administrator can end it here. */
export function PausedNotice() {
  const { data: status } = useQuery(statusQuery);
  return status?.paused ? <Paused /> : null;
}

function Paused() {
  const say = useWords(words);
  const me = useMe();
  const { busy, act } = useAct();
  const { data } = useQuery(schedulingQuery);
  const resume = () => api.PATCH("/api/v1/scheduling", { body: { paused: false } });
  return (
    <Alert
      banner
      type="warning"
      title={
        <>
          {say("paused")}{" "}
          {data?.paused_by && (
            <span className="soft">
              {say("pausedBy", { name: data.paused_by })} · <Ago at={data.paused_at} />
            </span>
          )}
        </>
      }
      action={
        me.role === "admin" && (
          <Button size="small" loading={busy} onClick={() => void act(resume, say("resumed"))}>
            {say("resume")}
          </Button>
        )
      }
    />
  );
}
