import { Checkbox, Modal, Radio } from "antd";
import { useState } from "react";
import { formatNumber } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { words } from "../words";
import { AllMatching } from "./AllMatching";
import { nameFew } from "./outcome";
import { type ActionOptions, type ActOnJobs, countOf, type Wish } from "./useJobActions";
import "./ActionDialog.css";

/** Asks whether it is meant, and names what it is about. */
export function ActionDialog({ actions }: { actions: ActOnJobs }) {
  const { wish } = actions;
  return wish && <Asking key={wish.action + wish.jobs.length} wish={wish} actions={actions} />;
}

function Asking({ wish, actions }: { wish: Wish; actions: ActOnJobs }) {
  const { action, jobs, whole } = wish;
  const say = useWords(words);
  const [withSuccessors, setWithSuccessors] = useState(false);
  const [running, setRunning] = useState<ActionOptions["running"]>("refuse");
  // All that are being stopped already can only be ended sooner.
  const areStopping = !whole && jobs.every(({ state }) => state === "stopping");
  const [now, setNow] = useState(action === "cancel" && areStopping);
  const count = countOf(wish);
  const shown = { count: formatNumber(count, useLanguage()) };
  const number = count === 1 ? "One" : "Many";
  const { named, more } = nameFew(jobs);
  const isDanger = action === "cancel" || action === "delete";
  const text = {
    cancel: say("cancelText"),
    delete: say("deleteText"),
    resubmit: say("resubmitText"),
    hold: say("holdText"),
    release: say("releaseText"),
  };
  const runs = whole ? (whole.matching.yours.running ?? 0) > 0 : jobs.some(({ area }) => area === "running");
  return (
    <Modal
      open
      title={say(TITLE[action][number], shown)}
      okText={say(DO_IT[action][number], shown)}
      cancelText={say("keep")}
      okButtonProps={{ danger: isDanger }}
      confirmLoading={actions.busy}
      onOk={() => void actions.confirm({ with_successors: withSuccessors, running, now })}
      onCancel={actions.dismiss}
      width={480}
    >
      {whole ? (
        <AllMatching wish={wish} whole={whole} />
      ) : (
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
      )}
      <p className="soft">{text[action]}</p>
      {action === "cancel" && runs && (
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

const TITLE = {
  cancel: { One: "cancelOne", Many: "cancelMany" },
  delete: { One: "deleteOne", Many: "deleteMany" },
  resubmit: { One: "resubmitMany", Many: "resubmitMany" },
  hold: { One: "holdMany", Many: "holdMany" },
  release: { One: "releaseMany", Many: "releaseMany" },
} as const;
const DO_IT = {
  cancel: { One: "doCancelOne", Many: "doCancelMany" },
  delete: { One: "doDeleteOne", Many: "doDeleteMany" },
  resubmit: { One: "doResubmitMany", Many: "doResubmitMany" },
  hold: { One: "doHoldMany", Many: "doHoldMany" },
  release: { One: "doReleaseMany", Many: "doReleaseMany" },
} as const;
