import { AppstoreOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useState } from "react";
import type { NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import type { Holders } from "@/ui/gpu/GpuHolders";
import { FoldedNodes } from "@/ui/node/FoldedNodes";
import { NodeFilters } from "@/ui/node/NodeFilters";
import { FEW_NODES, filterNodes, type NodeFilter } from "@/ui/node/nodeFilter";
import { Nothing } from "@/ui/page/Nothing";
import { useCompact } from "./density";
import { NodeCard } from "./NodeCard";
import { words } from "./words";
import "./NodeCards.css";

const AT_ONCE = 48;

export function NodeCards({ nodes, holders }: { nodes: readonly NodeRow[]; holders: Holders }) {
  const say = useWords(words);
  const [compact, choose] = useCompact(nodes.reduce((sum, { gpus }) => sum + gpus.length, 0));
  const [filter, setFilter] = useState<NodeFilter>({});
  if (nodes.length === 0) {
    return (
      <div className="overview-panel">
        <Nothing title={say("noNodes")} hint={say("noNodesHint")} />
      </div>
    );
  }
  return (
    <>
      <div className="node-cards-head">
        <h2>{say("nodes")}</h2>
        <Button
          size="small"
          type={compact ? "default" : "text"}
          icon={<AppstoreOutlined />}
          aria-pressed={compact}
          onClick={() => choose(!compact)}
        >
          {say("compact")}
        </Button>
      </div>
      {nodes.length > FEW_NODES && <NodeFilters nodes={nodes} filter={filter} onChange={setFilter} />}
      <FoldedNodes nodes={filterNodes(nodes, filter)} step={AT_ONCE} onAll={() => setFilter({})}>
        {(shown) => (
          <div className={compact ? "node-cards node-cards-compact" : "node-cards"}>
            {shown.map((node) => (
              <NodeCard key={node.name} node={node} holders={holders} compact={compact} />
            ))}
          </div>
        )}
      </FoldedNodes>
    </>
  );
}
