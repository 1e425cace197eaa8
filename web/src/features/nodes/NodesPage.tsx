import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Skeleton } from "antd";
import { nodesQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { useHolders } from "@/ui/GpuHolders";
import { Nothing } from "@/ui/Nothing";
import { useInOrder } from "@/ui/nodeOrder";
import { PageHeader } from "@/ui/PageHeader";
import { AddNode } from "./AddNode";
import { NodeTable } from "./NodeTable";
import { words } from "./words";

export default function NodesPage() {
  const say = useWords(words);
  const { data, error, refetch } = useQuery({ ...nodesQuery, placeholderData: keepPreviousData });
  const nodes = useInOrder(data);
  const holders = useHolders();
  const up = nodes?.filter(({ state }) => state === "up").length ?? 0;
  return (
    <>
      <PageHeader
        title={say("nodes")}
        note={nodes && say("nodesNote", { up, total: nodes.length })}
        actions={<AddNode />}
      />
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!nodes && !error && <Skeleton active paragraph={{ rows: 6 }} />}
      {nodes?.length === 0 && <Nothing title={say("noNodes")} hint={say("noNodesHint")} />}
      {nodes && nodes.length > 0 && <NodeTable nodes={nodes} holders={holders} />}
    </>
  );
}
