import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { nodesQuery } from "@/lib/api/queries";
import type { NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useHolders } from "@/ui/gpu/GpuHolders";
import { FoldedNodes } from "@/ui/node/FoldedNodes";
import { NodeFilters } from "@/ui/node/NodeFilters";
import { FEW_NODES, filterNodes, isFiltering, type NodeFilter } from "@/ui/node/nodeFilter";
import { useInOrder } from "@/ui/node/nodeOrder";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { PageHeader } from "@/ui/page/PageHeader";
import { AddNode } from "./AddNode";
import { Servers } from "./Servers";
import { NodeTable } from "./table/NodeTable";
import { words } from "./words";

const AT_ONCE = 100;

export default function NodesPage() {
  const say = useWords(words);
  const { data, error, refetch } = useQuery({ ...nodesQuery, placeholderData: keepPreviousData });
  const nodes = useInOrder(data);
  const up = nodes?.filter(({ state }) => state === "up").length ?? 0;
  return (
    <>
      <PageHeader
        title={say("nodes")}
        note={nodes && say("nodesNote", { up, total: nodes.length })}
        actions={<AddNode />}
      />
      <Servers />
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!nodes && !error && <Loading lines={7} />}
      {nodes?.length === 0 && <Nothing title={say("noNodes")} hint={say("noNodesHint")} />}
      {nodes && nodes.length > 0 && <Nodes nodes={nodes} />}
    </>
  );
}

function Nodes({ nodes }: { nodes: readonly NodeRow[] }) {
  const holders = useHolders();
  const filter = useSearch({ from: "/nodes" });
  const navigate = useNavigate({ from: "/nodes" });
  const choose = (search: NodeFilter) => void navigate({ search, replace: true });
  return (
    <>
      {(nodes.length > FEW_NODES || isFiltering(filter)) && (
        <NodeFilters nodes={nodes} filter={filter} onChange={choose} />
      )}
      <FoldedNodes nodes={filterNodes(nodes, filter)} step={AT_ONCE} onAll={() => choose({})}>
        {(shown) => <NodeTable nodes={shown} holders={holders} />}
      </FoldedNodes>
    </>
  );
}
