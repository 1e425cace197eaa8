import {
  DeleteOutlined,
  EditOutlined,
  EllipsisOutlined,
  PauseCircleOutlined,
  PlayCircleOutlined,
  StopOutlined,
} from "@ant-design/icons";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { App, Button, Checkbox, Dropdown } from "antd";
import { type ReactNode, useState } from "react";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { JobDetail } from "@/lib/api/schema";
import { formatDuration } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { isEnded, isInQueue } from "@/lib/jobStates";
import { fillPair, useOfferActions } from "@/ui/action/appActions";
import { useAct } from "@/ui/action/useAct";
import { useJobName } from "../useJobName";
import { words } from "../words";
import { type Action, actionsFor, permitted } from "./actions";
import { DeleteDialog } from "./DeleteDialog";
import { RunAgainButton } from "./RunAgainButton";

/** What cannot be taken back stands in a menu, the others in the open. */
const IN_MENU: readonly Action[] = ["delete"];
const GRACE_S = 10;
const ICONS: Record<Action, ReactNode> = {
  hold: <PauseCircleOutlined />,
  release: <PlayCircleOutlined />,
  cancel: <StopOutlined />,
  kill: <StopOutlined />,
  edit: <EditOutlined />,
  delete: <DeleteOutlined />,
};

export function JobActions({ detail }: { detail: JobDetail }) {
  const say = useWords(words);
  const { job } = detail;
  const [isDeleting, setDeleting] = useState(false);
  const { busy, carryOut } = useCarryOut(detail, () => setDeleting(true));
  const all = permitted(actionsFor(job), detail.may);
  const mayRunAgain = detail.may?.includes("change");
  const inTheOpen = all.filter((action) => !IN_MENU.includes(action));
  const others = all.filter((action) => IN_MENU.includes(action));
  useOfferActions(
    all.map((action) => ({
      key: action,
      name: fillPair(words[`${action}Named`], { ref: job.ref }),
      icon: ICONS[action],
      isHidden: IN_MENU.includes(action),
      run: () => carryOut(action),
    })),
  );
  return (
    <>
      {mayRunAgain && isEnded(job.state) && <RunAgainButton job={job} />}
      {inTheOpen.map((action) => (
        <Button
          key={action}
          danger={action === "cancel" || action === "kill"}
          disabled={busy}
          onClick={() => carryOut(action)}
        >
          {say(action)}
        </Button>
      ))}
      {mayRunAgain && !isEnded(job.state) && <RunAgainButton job={job} />}
      {others.length > 0 && (
        <Dropdown
          trigger={["click"]}
          menu={{
            items: others.map((action) => ({
              key: action,
              label: say(action),
              danger: action === "delete",
            })),
            onClick: ({ key }) => carryOut(key as Action),
          }}
        >
          <Button icon={<EllipsisOutlined />} aria-label={say("more")} disabled={busy} />
        </Dropdown>
      )}
      {isDeleting && <DeleteDialog detail={detail} onClose={() => setDeleting(false)} />}
    </>
  );
}

function useCarryOut(detail: JobDetail, askToDelete: () => void) {
  const say = useWords(words);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { modal } = App.useApp();
  const { busy, act } = useAct();
  const { job, fields } = detail;
  const name = useJobName(job);
  const params = { path: { job_id: job.ref } };

  async function take(asked: Promise<{ data?: JobDetail }>) {
    client.setQueryData(keys.job(job.ref), await answer(asked));
  }

  function carryOut(action: Action): void {
    switch (action) {
      case "hold":
        void act(
          () => take(api.POST("/api/v1/jobs/{job_id}/hold", { params })),
          say("holdDone", { job: name.start }),
        );
        return;
      case "release":
        void act(
          () => take(api.POST("/api/v1/jobs/{job_id}/release", { params })),
          say("releaseDone", { job: name.start }),
        );
        return;
      case "cancel":
      case "kill": {
        const grace = formatDuration(fields?.grace_s ?? GRACE_S);
        const waits = isInQueue(job.state) && !job.array?.active;
        const text = job.array ? "cancelArrayText" : waits ? "cancelWaitingText" : "cancelText";
        const kills = action === "kill";
        let now = kills;
        const content = (
          <>
            <p>{say(kills ? "killText" : text, { grace })}</p>
            {!kills && !waits && (
              <Checkbox
                onChange={(change) => {
                  now = change.target.checked;
                }}
              >
                {say(job.array ? "cancelNowArray" : "cancelNow")}
              </Checkbox>
            )}
          </>
        );
        const cancel = () =>
          api.POST("/api/v1/jobs/{job_id}/cancel", { params: { ...params, query: { now } } });
        void modal.confirm({
          title: say(kills ? "killTitle" : "cancelTitle", { job: name.inside }),
          content,
          okText: say(action),
          okButtonProps: { danger: true },
          cancelText: say("keep"),
          onOk: () => act(() => take(cancel()), say("cancelDone", { job: name.start })),
        });
        return;
      }
      case "edit":
        void navigate({ to: "/jobs/$ref/edit", params: { ref: job.ref } });
        return;
      case "delete":
        askToDelete();
    }
  }

  return { busy, carryOut };
}
