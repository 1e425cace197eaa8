import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Alert, Button } from "antd";
import { nodesQuery } from "@/lib/api/queries";
import type { NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { LinkButton } from "@/ui/action/LinkButton";
import { useHolders } from "@/ui/gpu/GpuHolders";
import { NodeMark } from "@/ui/node/NodeMark";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { NoSuch } from "@/ui/page/NoSuch";
import { PageHeader } from "@/ui/page/PageHeader";
import { WithCode } from "@/ui/value/WithCode";
import { NodeCharts } from "./charts/NodeCharts";
import { isOutOfUse } from "./findings/findings";
import { NodeFindings } from "./findings/NodeFindings";
import { GpuProcesses } from "./gpus/GpuProcesses";
import { GpuTable } from "./gpus/GpuTable";
import { NodeFacts } from "./NodeFacts";
import { NodeJobs } from "./NodeJobs";
import { NodeNow } from "./NodeNow";
import { useDrain } from "./useDrain";
import { words } from "./words";
import "./NodePage.css";

export default function NodePage() {
  const say = useWords(words);
  const { name } = useParams({ from: "/nodes/$name" });
  // The whole list: it is what the stream keeps fresh.
  const { data: nodes, error, refetch } = useQuery({ ...nodesQuery, placeholderData: keepPreviousData });
  const node = nodes?.find((each) => each.name === name);
  if (node) return <NodeView key={name} node={node} />;
  if (nodes && !error)
    return (
      <NoSuch
        title={say("noSuchNode", { node: name })}
        hint={say("noSuchNodeHint")}
        wayBack={<LinkButton to="/nodes">{say("toNodes")}</LinkButton>}
      />
    );
  return (
    <>
      <PageHeader title={name} />
      {error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <Loading lines={11} />}
    </>
  );
}

function NodeView({ node }: { node: NodeRow }) {
  const say = useWords(words);
  const holders = useHolders();
  const draining = useDrain();
  const isOut = isOutOfUse(node);
  return (
    <div className="node-page">
      <PageHeader
        tab={node.name}
        title={
          <span className="node-page-title">
            {node.name} <NodeMark node={node} />
          </span>
        }
        note={<NodeFacts node={node} />}
        actions={
          draining.allowed && (
            <Button loading={draining.busy} onClick={() => draining.drainNode(node.name, !isOut)}>
              {say(isOut ? "undrainNode" : "drainNode", { node: node.name })}
            </Button>
          )
        }
      />
      {node.state === "lost" && <Lost node={node} mayDeclare={draining.allowed} />}
      <NodeNow node={node} />
      <NodeFindings node={node} />
      <section className="node-section" aria-label={say("gpus")}>
        <h2>{say("gpus")}</h2>
        <GpuTable node={node} holders={holders} draining={draining} />
      </section>
      <section className="node-section" aria-label={say("lastHour")}>
        <h2>{say("lastHour")}</h2>
        <NodeCharts node={node} />
      </section>
      <section className="node-section" aria-label={say("processes")}>
        <h2>{say("processes")}</h2>
        <GpuProcesses node={node} />
      </section>
      <section className="node-section" aria-label={say("jobsHere")}>
        <h2>{say("jobsHere")}</h2>
        <NodeJobs node={node} />
      </section>
    </div>
  );
}

function Lost({ node: { name }, mayDeclare }: { node: NodeRow; mayDeclare: boolean }) {
  const say = useWords(words);
  return (
    <Alert
      className="node-lost"
      type="warning"
      showIcon
      title={say("lostTitle", { node: name })}
      description={
        <>
          {say("lostHint")}
          {mayDeclare && (
            <p>
              <WithCode text={say("lostDead", { node: name })} />
            </p>
          )}
        </>
      }
    />
  );
}
