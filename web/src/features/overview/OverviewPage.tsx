import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Skeleton } from "antd";
import { useMemo } from "react";
import { nodesQuery, statusQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { countConditions } from "@/ui/GpuCondition";
import { useHolders } from "@/ui/GpuHolders";
import { useInOrder } from "@/ui/nodeOrder";
import { ClusterNumbers } from "./ClusterNumbers";
import { MyJobs } from "./MyJobs";
import { NodeCards } from "./NodeCards";
import { words } from "./words";
import "./OverviewPage.css";

export default function OverviewPage() {
  const say = useWords(words);
  const { data, error, refetch } = useQuery({ ...nodesQuery, placeholderData: keepPreviousData });
  const nodes = useInOrder(data);
  const { data: status } = useQuery(statusQuery);
  const holders = useHolders();
  const counts = useMemo(() => countConditions(nodes ?? [], holders), [nodes, holders]);
  return (
    <div className="overview">
      <h1 className="overview-title">{say("overview")}</h1>
      <div className="overview-numbers">
        {nodes ? <ClusterNumbers counts={counts} status={status} nodes={nodes} /> : <NumbersToCome />}
      </div>
      <aside className="overview-mine" aria-label={say("myJobs")}>
        <MyJobs />
      </aside>
      <section className="overview-nodes" aria-label={say("nodes")}>
        {error && <ErrorNotice error={error} retry={() => void refetch()} />}
        {nodes ? <NodeCards nodes={nodes} holders={holders} /> : <Skeleton active paragraph={{ rows: 8 }} />}
      </section>
    </div>
  );
}

function NumbersToCome() {
  return (
    <div className="overview-panel">
      <Skeleton active title={false} paragraph={{ rows: 3 }} />
    </div>
  );
}
