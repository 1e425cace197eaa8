import { PauseCircleOutlined, PlayCircleOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Alert, Button } from "antd";
import { schedulingQuery, statusQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useOfferActions } from "@/ui/action/appActions";
import { useAct } from "@/ui/action/useAct";
import { usePausing } from "@/ui/action/usePausing";
import { Ago } from "@/ui/value/Time";
import { words as sharedWords } from "@/ui/words";
import { useMe } from "../session";
import { words } from "../words";

/** Every user is told that nothing starts, by whom and since when; an administrator can end it here. */
export function PausedNotice() {
  const { data: status } = useQuery(statusQuery);
  const me = useMe();
  const { busy, act } = useAct();
  const { pause, resume } = usePausing(act);
  const pausing = status?.paused
    ? { key: "resume", name: sharedWords.resumeScheduling, icon: <PlayCircleOutlined />, run: resume }
    : { key: "pause", name: sharedWords.pauseScheduling, icon: <PauseCircleOutlined />, run: pause };
  useOfferActions(me.role === "admin" && status ? [pausing] : []);
  return status?.paused ? <Paused busy={busy} onResume={me.role === "admin" ? resume : undefined} /> : null;
}

function Paused({ busy, onResume }: { busy: boolean; onResume?: () => void }) {
  const say = useWords(words);
  const { data } = useQuery(schedulingQuery);
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
        onResume && (
          <Button size="small" loading={busy} onClick={onResume}>
            {say("resume")}
          </Button>
        )
      }
    />
  );
}
