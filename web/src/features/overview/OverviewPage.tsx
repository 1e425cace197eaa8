import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { nodesQuery, statusQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { countConditions } from "@/ui/gpu/GpuCondition";
import { useHolders } from "@/ui/gpu/GpuHolders";
import { useInOrder } from "@/ui/node/nodeOrder";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { useTabTitle } from "@/ui/page/useTabTitle";
import { ClusterNumbers } from "./ClusterNumbers";
import { MyJobs } from "./MyJobs";
import { NodeCards } from "./NodeCards";
import { useMyJobs } from "./useMyJobs";
import { words } from "./words";
import "./OverviewPage.css";

export default function OverviewPage() {
  const say = useWords(words);
  const { data, error, refetch } = useQuery({ ...nodesQuery, placeholderData: keepPreviousData });
  const nodes = useInOrder(data);
  const { data: status } = useQuery(statusQuery);
  const mine = useMyJobs();
  const isSettled = (data || error) && mine.every(({ isPending }) => !isPending);
  const holders = useHolders();
  const counts = useMemo(() => countConditions(nodes ?? [], holders), [nodes, holders]);
  useTabTitle(say("overview"));
  return (
    <div className={isSettled ? "overview" : "overview overview-settling"}>
      {/* The numbers say at once what the page is. */}
      <h1 className="only-heard">{say("overview")}</h1>
      <div className="overview-numbers">
        {nodes ? <ClusterNumbers counts={counts} status={status} nodes={nodes} /> : <NumbersToCome />}
      </div>
      <aside className="overview-mine" aria-label={say("myJobs")}>
        <MyJobs mine={mine} />
      </aside>
      <section className="overview-nodes" aria-label={say("nodes")}>
        {error && <ErrorNotice error={error} retry={() => void refetch()} />}
        {nodes ? <NodeCards nodes={nodes} holders={holders} /> : <Loading lines={9} />}
      </section>
    </div>
  );
}

function NumbersToCome() {
  return (
    <div className="overview-panel">
      <Loading lines={3} />
    </div>
  );
}
