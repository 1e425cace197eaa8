import { PlusOutlined } from "@ant-design/icons";
import { Alert, Button, Modal, Select, Skeleton } from "antd";
import { useState } from "react";
import { useMe } from "@/app/session";
import { ApiError, answer, api } from "@/lib/api/client";
import type { NewJoinToken, NodeRole } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { CopyButton } from "@/ui/CopyButton";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { words } from "./words";

const ROLES: readonly NodeRole[] = ["compute", "debug", "login", "transfer"];

/** The command that another machine joins with. The token in it is made when it is asked for. */
export function AddNode() {
  const say = useWords(words);
  const [open, setOpen] = useState(false);
  if (useMe().role !== "admin") return null;
  return (
    <>
      <Button icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        {say("addNode")}
      </Button>
      <Modal title={say("addNode")} open={open} onCancel={() => setOpen(false)} footer={null} destroyOnHidden>
        <Invitation />
      </Modal>
    </>
  );
}

function Invitation() {
  const say = useWords(words);
  const [role, setRole] = useState<NodeRole>("compute");
  const [made, setMade] = useState<NewJoinToken | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);

  async function invite() {
    setBusy(true);
    setError(null);
    try {
      setMade(await answer(api.POST("/api/v1/join-tokens", { body: { role, lifetime_s: 86_400 } })));
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      setError(problem);
    } finally {
      setBusy(false);
    }
  }

  if (error) return <ErrorNotice error={error} retry={() => void invite()} />;
  if (busy) return <Skeleton active paragraph={{ rows: 3 }} />;
  if (made) {
    return (
      <div className="add-node">
        <p>{say("typeThere")}</p>
        <pre className="add-node-command mono">{made.command}</pre>
        <CopyButton text={made.command} />
        <Alert type="info" showIcon title={say("tokenHint")} />
      </div>
    );
  }
  return (
    <div className="add-node">
      <p>{say("addNodeHint")}</p>
      <label htmlFor="add-node-role">{say("role")}</label>
      <Select
        id="add-node-role"
        value={role}
        onChange={setRole}
        popupMatchSelectWidth={false}
        options={ROLES.map((each) => ({ value: each, label: say(`role_${each}`) }))}
      />
      <Button type="primary" onClick={() => void invite()}>
        {say("makeCommand")}
      </Button>
    </div>
  );
}
