import { memo, useLayoutEffect, useRef, useState } from "react";
import type { NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import type { Holders } from "@/ui/gpu/GpuHolders";
import { NodeMark } from "@/ui/node/NodeMark";
import { words } from "../words";
import { WallGpu } from "./WallGpu";
import { arrange } from "./wallGrid";
import "./WallHeat.css";

/** All GPUs, as large as they can be. */
export function WallHeat({ nodes, holders }: { nodes: readonly NodeRow[]; holders: Holders }) {
  const say = useWords(words);
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 70, height: 45 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const em = Number.parseFloat(getComputedStyle(element).fontSize);
      setSize({ width: element.clientWidth / em, height: element.clientHeight / em });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const most = Math.max(1, ...nodes.map(({ gpus }) => gpus.length));
  const { columns, perRow, small } = arrange(nodes.length, most, size.width, size.height);
  return (
    <div
      ref={box}
      className={small ? "wall-nodes wall-nodes-small" : "wall-nodes"}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {nodes.length === 0 && <p className="soft">{say("noNodes")}</p>}
      {nodes.map((node) => (
        <WallNode
          key={node.name}
          node={node}
          holders={holders}
          perRow={Math.min(perRow, node.gpus.length || 1)}
        />
      ))}
    </div>
  );
}

interface WallNodeProps {
  node: NodeRow;
  holders: Holders;
  perRow: number;
}

const WallNode = memo(
  function WallNode({ node, holders, perRow }: WallNodeProps) {
    const isOut = node.drained || Boolean(node.quarantine || node.out_of_service);
    return (
      <article className="wall-node" aria-label={node.name}>
        <h2>
          {node.name} {(node.state === "lost" || isOut) && <NodeMark node={node} />}
        </h2>
        <ul style={{ gridTemplateColumns: `repeat(${perRow}, minmax(0, 1fr))` }}>
          {node.gpus.map((gpu) => (
            <WallGpu key={gpu.uuid} gpu={gpu} holders={holders} />
          ))}
        </ul>
      </article>
    );
  },
  (before, now) =>
    before.node === now.node &&
    before.perRow === now.perRow &&
    now.node.jobs.every((id) => before.holders[id] === now.holders[id]),
);
