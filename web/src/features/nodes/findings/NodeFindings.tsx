import { useQueryClient } from "@tanstack/react-query";
import { Alert, Button } from "antd";
import { useMe } from "@/app/session";
import { answer, api } from "@/lib/api/client";
import { LONG_MS, within } from "@/lib/api/deadline";
import { keys } from "@/lib/api/queries";
import type { FindingRow, NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import { Mark } from "@/ui/look/Mark";
import { words } from "../words";
import { inOrder } from "./findings";
import "./NodeFindings.css";

const TONES = { ok: "free", warning: "foreign", problem: "sick" } as const;

/** What the doctor found on a node, worst first, and a button to look again. What is well is there for who asks. */
export function NodeFindings({ node }: { node: NodeRow }) {
  const say = useWords(words);
  const findings = inOrder(node.findings ?? []);
  const told = findings.filter(({ level }) => level !== "ok");
  const well = findings.filter(({ level }) => level === "ok");
  return (
    <section className="node-section" aria-label={say("health")}>
      <div className="node-section-head">
        <h2>{say("health")}</h2>
        <Examine node={node} />
      </div>
      {node.quarantine && (
        <Alert
          className="node-quarantine"
          type="error"
          showIcon
          title={node.quarantine}
          description={say("quarantineHint")}
        />
      )}
      {node.out_of_service && (
        <Alert
          className="node-quarantine"
          type="error"
          showIcon
          title={node.out_of_service}
          description={say("outOfServiceHint")}
        />
      )}
      {findings.length > 0 ? (
        <div className="node-findings">
          {told.length > 0 && <Findings findings={told} />}
          {well.length > 0 && (
            <details>
              <summary>
                <Mark tone="free">{say(told.length ? "restWell" : "allWell", { count: well.length })}</Mark>
              </summary>
              <Findings findings={well} />
            </details>
          )}
        </div>
      ) : (
        <p className="soft node-none">
          {say("notExamined")} {say("notExaminedHint")}
        </p>
      )}
    </section>
  );
}

function Examine({ node }: { node: NodeRow }) {
  const say = useWords(words);
  const client = useQueryClient();
  const { busy, act } = useAct();
  if (useMe().role !== "admin") return null;
  async function examine() {
    const params = { path: { name: node.name } };
    await answer(api.POST("/api/v1/nodes/{name}/examine", { params, fetch: within(LONG_MS) }));
    await client.invalidateQueries({ queryKey: keys.nodes });
  }
  return (
    <Button
      size="small"
      loading={busy}
      disabled={node.state !== "up"}
      onClick={() => void act(examine, say("examined"))}
    >
      {say("examine")}
    </Button>
  );
}

function Findings({ findings }: { findings: readonly FindingRow[] }) {
  const say = useWords(words);
  return (
    <ul>
      {findings.map(({ check, level, message }) => (
        <li key={`${check} ${message}`}>
          <Mark tone={TONES[level]}>{say(level)}</Mark>
          <span>{message}</span>
        </li>
      ))}
    </ul>
  );
}
