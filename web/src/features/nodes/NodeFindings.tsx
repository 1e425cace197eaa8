import { Alert, Button } from "antd";
import { useMe } from "@/app/session";
import { answer, api } from "@/lib/api/client";
import type { FindingRow, NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { Nothing } from "@/ui/Nothing";
import { Mark } from "@/ui/StateTag";
import { useAct } from "@/ui/useAct";
import { inOrder } from "./findings";
import { words } from "./words";

const TONES = { ok: "free", warning: "idle", problem: "sick" } as const;

/** What the doctor found on a node, worst first, and a button to look again. */
export function NodeFindings({ node }: { node: NodeRow }) {
  const say = useWords(words);
  const { busy, act } = useAct();
  const isAdmin = useMe().role === "admin";
  const findings = inOrder(node.findings ?? []);
  return (
    <section className="node-section" aria-label={say("health")}>
      <div className="node-section-head">
        <h2>{say("health")}</h2>
        {isAdmin && (
          <Button
            size="small"
            loading={busy}
            disabled={node.state !== "up"}
            onClick={() =>
              void act(
                () =>
                  answer(api.POST("/api/v1/nodes/{name}/examine", { params: { path: { name: node.name } } })),
                say("examined"),
              )
            }
          >
            {say("examine")}
          </Button>
        )}
      </div>
      {node.quarantine && <Alert type="error" showIcon title={node.quarantine} />}
      {findings.length > 0 ? (
        <ul className="node-findings">
          {findings.map((finding) => (
            <Found key={`${finding.check} ${finding.message}`} finding={finding} />
          ))}
        </ul>
      ) : (
        <Nothing title={say("notExamined")} hint={say("notExaminedHint")} />
      )}
    </section>
  );
}

function Found({ finding }: { finding: FindingRow }) {
  const say = useWords(words);
  const level = finding.level;
  return (
    <li>
      <Mark tone={TONES[level]}>{say(level)}</Mark> <span>{finding.message}</span>
    </li>
  );
}
