import { AppstoreOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import type { Holders } from "@/ui/GpuHolders";
import { Nothing } from "@/ui/Nothing";
import { useCompact } from "./density";
import { NodeCard } from "./NodeCard";
import { words } from "./words";
import "./NodeCards.css";

export function NodeCards({ nodes, holders }: { nodes: readonly NodeRow[]; holders: Holders }) {
  const say = useWords(words);
  const [compact, choose] = useCompact(nodes.reduce((sum, { gpus }) => sum + gpus.length, 0));
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
      <div className={compact ? "node-cards node-cards-compact" : "node-cards"}>
        {nodes.map((node) => (
          <NodeCard key={node.name} node={node} holders={holders} compact={compact} />
        ))}
      </div>
    </>
  );
}
