import { PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Alert, Button, Modal, Select } from "antd";
import { useState } from "react";
import { useMe } from "@/app/session";
import { ApiError, answer, api } from "@/lib/api/client";
import type { NewJoinToken, NodeRole } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Command } from "@/ui/value/Command";
import { words } from "./words";
import "./AddNode.css";

const ROLES: readonly NodeRole[] = ["compute", "debug", "login", "transfer"];
const LIFETIME_S = 86_400;
const BECOME_CLUSTER = "danlu down\ndanlu up --cluster";

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
  const [made, setMade] = useState<NewJoinToken | null>(null);
  // A single machine has no tokens to list: an administrator who wants to add a node shall learn that first.
  const { data, error, refetch } = useQuery({
    queryKey: ["join-tokens"],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/join-tokens", { signal })),
    retry: false,
    gcTime: 0,
  });
  if (error instanceof ApiError && error.code === "not_a_cluster") return <SingleMachine refusal={error} />;
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  return made ? <Ready made={made} /> : <Ask onMade={setMade} />;
}

function Ask({ onMade }: { onMade: (made: NewJoinToken) => void }) {
  const say = useWords(words);
  const { busy, act } = useAct();
  const [role, setRole] = useState<NodeRole>("compute");
  const invite = async () =>
    onMade(await answer(api.POST("/api/v1/join-tokens", { body: { role, lifetime_s: LIFETIME_S } })));
  return (
    <div className="add-node">
      <p>{say("addNodeHint")}</p>
      <div className="add-node-role">
        <label htmlFor="add-node-role">{say("role")}</label>
        <Select
          id="add-node-role"
          value={role}
          onChange={setRole}
          options={ROLES.map((each) => ({ value: each, label: say(`role_${each}`) }))}
        />
      </div>
      <Button type="primary" loading={busy} onClick={() => void act(invite)}>
        {say("makeCommand")}
      </Button>
    </div>
  );
}

function Ready({ made }: { made: NewJoinToken }) {
  const say = useWords(words);
  return (
    <div className="add-node">
      <p>{say("typeThere")}</p>
      <Command text={made.command} />
      <Alert type="info" showIcon title={say("tokenHint")} />
    </div>
  );
}

function SingleMachine({ refusal }: { refusal: ApiError }) {
  return (
    <div className="add-node">
      <Alert type="info" showIcon title={refusal.message} description={refusal.problem.hint} />
      <Command text={BECOME_CLUSTER} />
    </div>
  );
}
