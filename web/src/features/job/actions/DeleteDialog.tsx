import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Alert, App, Checkbox, Modal, Radio } from "antd";
import { useState } from "react";
import { ApiError, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { JobDetail } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import { useJobName } from "../useJobName";
import { words } from "../words";

type Running = "refuse" | "leave" | "cancel";

/** Asks whether the job shall go, and what shall become of those that wait for it. */
export function DeleteDialog({ detail, onClose }: { detail: JobDetail; onClose: () => void }) {
  const say = useWords(words);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { message } = App.useApp();
  const { busy, act } = useAct();
  const { job, successors } = detail;
  const name = useJobName(job);
  const [withSuccessors, setWithSuccessors] = useState(false);
  const [running, setRunning] = useState<Running>("refuse");
  /** The server names those that run, and leaves it to us what shall become of them. */
  const [refusal, setRefusal] = useState<string | null>(null);

  async function remove() {
    const query = { with_successors: withSuccessors, running };
    try {
      await api.DELETE("/api/v1/jobs/{job_id}", { params: { path: { job_id: job.ref }, query } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "successors_running") throw error;
      setRefusal(error.message);
      setRunning("leave");
      return;
    }
    void message.success(say("deleted", { job: name.start }));
    await navigate({ to: "/jobs", search: { area: job.area } });
    // A user who goes back is told that it is gone.
    void client.invalidateQueries({ queryKey: keys.job(job.ref) });
  }

  return (
    <Modal
      open
      title={say("deleteTitle", { job: name.inside })}
      okText={say("delete")}
      okButtonProps={{ danger: true }}
      cancelText={say("keep")}
      confirmLoading={busy}
      onOk={() => act(remove)}
      onCancel={onClose}
      width={480}
    >
      <p>{say("deleteText")}</p>
      {successors.length > 0 && (
        <>
          <Checkbox
            checked={withSuccessors}
            onChange={({ target }) => {
              setWithSuccessors(target.checked);
              setRefusal(null);
              setRunning("refuse");
            }}
          >
            {say("deleteSuccessors", { jobs: successors.join(", ") })}
          </Checkbox>
          {!withSuccessors && <p className="soft job-delete-note">{say("successorsStay")}</p>}
        </>
      )}
      {refusal && (
        <div className="job-delete-running">
          <Alert type="warning" showIcon title={refusal} role="alert" />
          <Radio.Group
            vertical
            value={running}
            aria-label={say("runningSuccessors")}
            onChange={({ target }) => setRunning(target.value)}
            options={[
              { value: "leave", label: say("leaveThem") },
              { value: "cancel", label: say("cancelThem") },
            ]}
          />
        </div>
      )}
    </Modal>
  );
}
