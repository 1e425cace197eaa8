import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { NodeRow } from "@/lib/api/schema";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { GpuCell } from "@/ui/gpu/GpuCell";
import { percentOf } from "@/ui/gpu/GpuCondition";
import type { Holders } from "@/ui/gpu/GpuHolders";
import { memoryOf } from "@/ui/gpu/GpuMemory";
import { GpuTile } from "@/ui/gpu/GpuTile";
import { kindsOf, shortModel } from "@/ui/gpu/gpuKinds";
import { NodeMark } from "@/ui/node/NodeMark";
import { Meter } from "@/ui/value/Meter";
import { words } from "./words";
import "./NodeCard.css";

interface NodeCardProps {
  node: NodeRow;
  holders: Holders;
  compact: boolean;
}

/** Drawn again only when its node is read anew, or when something about its own jobs changes. */
export const NodeCard = memo(
  Card,
  (before, now) =>
    before.node === now.node &&
    before.compact === now.compact &&
    now.node.jobs.every((id) => before.holders[id] === now.holders[id]),
);

function Card({ node, holders, compact }: NodeCardProps) {
  const say = useWords(words);
  const Gpu = compact ? GpuTile : GpuCell;
  return (
    <article className={compact ? "node-card node-card-compact" : "node-card"} aria-label={node.name}>
      <header className="node-card-head">
        <h3>
          <Link to="/nodes/$name" params={{ name: node.name }}>
            {node.name}
          </Link>
        </h3>
        {compact && <UsageInWords node={node} />}
        <NodeMark node={node} />
        {!compact && <Usage node={node} />}
      </header>
      {node.gpus.length > 0 && (
        <p className="node-card-kinds soft">
          {kindsOf(node.gpus)
            .map(({ name, count }) => `${count} × ${shortModel(name)}`)
            .join(", ")}
        </p>
      )}
      {node.gpus.length > 0 ? (
        <ul className={node.gpus.length > 4 ? "node-card-gpus node-card-gpus-many" : "node-card-gpus"}>
          {node.gpus.map((gpu) => (
            <Gpu key={gpu.uuid} gpu={gpu} holders={holders} />
          ))}
        </ul>
      ) : (
        <p className="soft">{say("noGpus")}</p>
      )}
    </article>
  );
}

function Usage({ node: { usage, memory_mb } }: { node: NodeRow }) {
  const say = useWords(words);
  return (
    <div className="node-card-usage">
      <Meter
        label={say("cpu")}
        value={usage ? `${Math.round(usage.cpu_percent)} %` : say("unknown")}
        percent={usage?.cpu_percent ?? null}
        tone="idle"
      />
      <Meter
        label={say("memory")}
        value={usage ? memoryOf(usage.memory_used_mb, usage.memory_total_mb) : formatMegabytes(memory_mb)}
        percent={usage ? percentOf(usage.memory_used_mb, usage.memory_total_mb) : null}
        tone="idle"
      />
    </div>
  );
}

function UsageInWords({ node: { usage } }: { node: NodeRow }) {
  const say = useWords(words);
  if (!usage) return null;
  return (
    <span className="node-card-words soft number">
      {say("cpu")} {Math.round(usage.cpu_percent)} % · {memoryOf(usage.memory_used_mb, usage.memory_total_mb)}
    </span>
  );
}
