import { Checkbox, Modal, Radio } from "antd";
import { useState } from "react";
import { useWords } from "@/lib/i18n/language";
import { nameFew } from "./outcome";
import type { ActionOptions, ActOnJobs, Wish } from "./useJobActions";
import { words } from "./words";
import "./ActionDialog.css";

/** Asks whether it is meant, and names what it is about. */
export function ActionDialog({ actions }: { actions: ActOnJobs }) {
  const { wish } = actions;
  return wish && <Asking key={wish.action + wish.jobs.length} wish={wish} actions={actions} />;
}

function Asking({ wish: { action, jobs }, actions }: { wish: Wish; actions: ActOnJobs }) {
  const say = useWords(words);
  const [withSuccessors, setWithSuccessors] = useState(false);
  const [running, setRunning] = useState<ActionOptions["running"]>("refuse");
  // All that are being stopped already can only be ended sooner.
  const areStopping = jobs.every(({ state }) => state === "stopping");
  const [now, setNow] = useState(action === "cancel" && areStopping);
  const count = jobs.length;
  const number = count === 1 ? "One" : "Many";
  const { named, more } = nameFew(jobs);
  const title = action === "delete" ? say(`delete${number}`, { count }) : say(`cancel${number}`, { count });
  const text = { cancel: say("cancelText"), delete: say("deleteText"), resubmit: say("resubmitText") };
  const doIt =
    action === "delete" ? say(`doDelete${number}`, { count }) : say(`doCancel${number}`, { count });
  const copies = action === "resubmit";
  return (
    <Modal
      open
      title={copies ? say("resubmitMany", { count }) : title}
      okText={copies ? say("doResubmitMany", { count }) : doIt}
      cancelText={say("keep")}
      okButtonProps={{ danger: !copies }}
      confirmLoading={actions.busy}
      onOk={() => void actions.confirm({ with_successors: withSuccessors, running, now })}
      onCancel={actions.dismiss}
      width={480}
    >
      <ul className="action-jobs">
        {named.map(({ ref, name, owner }) => (
          <li key={ref}>
            <span className="mono soft">{ref}</span>
            <b>{name}</b>
            <span className="soft">{owner}</span>
          </li>
        ))}
        {more > 0 && <li className="soft">{say("andMore", { count: more })}</li>}
      </ul>
      <p className="soft">{text[action as keyof typeof text]}</p>
      {action === "cancel" && jobs.some(({ area }) => area === "running") && (
        <Checkbox checked={now} onChange={(change) => setNow(change.target.checked)}>
          {say("cancelNow")}
        </Checkbox>
      )}
      {action === "delete" && (
        <>
          <Checkbox checked={withSuccessors} onChange={(change) => setWithSuccessors(change.target.checked)}>
            {say("withSuccessors")}
          </Checkbox>
          {withSuccessors && (
            <fieldset className="action-running">
              <legend>{say("runningSuccessors")}</legend>
              <Radio.Group
                vertical
                value={running}
                onChange={(change) => setRunning(change.target.value)}
                options={[
                  { value: "refuse", label: say("runningRefuse") },
                  { value: "leave", label: say("runningLeave") },
                  { value: "cancel", label: say("runningCancel") },
                ]}
              />
            </fieldset>
          )}
        </>
      )}
    </Modal>
  );
}
