import { Link } from "@tanstack/react-router";
import { Button } from "antd";
import { memo } from "react";
import type { NodeRow } from "@/lib/api/schema";
import { formatRate } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { percentOf } from "@/ui/gpu/GpuCondition";
import type { Holders } from "@/ui/gpu/GpuHolders";
import { memoryOf } from "@/ui/gpu/GpuMemory";
import { Mark } from "@/ui/look/Mark";
import { NodeMark } from "@/ui/node/NodeMark";
import { Meter } from "@/ui/value/Meter";
import { diskTone, fullestDisk } from "../disks";
import { isOutOfUse, problemsOf } from "../findings/findings";
import { GpuPips } from "../gpus/GpuPips";
import type { useDrain } from "../useDrain";
import { words } from "../words";

interface NodeTableRowProps {
  node: NodeRow;
  holders: Holders;
  draining: ReturnType<typeof useDrain>;
}

/** Drawn again only when its node is read anew, or when something about its own jobs changes. */
export const NodeTableRow = memo(
  Row,
  (before, now) =>
    before.node === now.node &&
    before.draining === now.draining &&
    now.node.jobs.every((id) => before.holders[id] === now.holders[id]),
);

function Row({ node, holders, draining }: NodeTableRowProps) {
  const say = useWords(words);
  const name = useVocabulary();
  const { usage } = node;
  const isOut = isOutOfUse(node);
  const disk = fullestDisk(usage);
  const problems = problemsOf(node);
  const diskPercent = disk && percentOf(disk.used_bytes, disk.total_bytes);
  return (
    <tr>
      <th scope="row" className="node-table-name">
        <Link to="/nodes/$name" params={{ name: node.name }} data-row-link>
          {node.name}
        </Link>
        {node.role && node.role !== "compute" && <span className="soft">{name(`role.${node.role}`)}</span>}
        {node.simulated && <span className="soft">{say("simulated")}</span>}
      </th>
      <td className="node-table-state">
        <NodeMark node={node} />
        {problems > 0 && (
          <Link to="/nodes/$name" params={{ name: node.name }} className="node-table-problems">
            <Mark tone="sick">{say("problems", { count: problems })}</Mark>
          </Link>
        )}
      </td>
      <td className="node-table-gpus">
        <GpuPips gpus={node.gpus} holders={holders} />
      </td>
      <td className="node-table-headed">
        <Meter
          label={say("cpu")}
          value={usage ? `${Math.round(usage.cpu_percent)} %` : say("unknown")}
          percent={usage?.cpu_percent ?? null}
        />
      </td>
      <td className="node-table-headed">
        <Meter
          label={say("memory")}
          value={usage ? memoryOf(usage.memory_used_mb, usage.memory_total_mb) : say("unknown")}
          percent={usage ? percentOf(usage.memory_used_mb, usage.memory_total_mb) : null}
        />
      </td>
      <td className="node-table-network node-table-lesser number">
        <span>
          <span className="soft">{say("incoming")}</span>{" "}
          {usage ? formatRate(usage.network_in_bytes_s) : say("unknown")}
        </span>
        <span>
          <span className="soft">{say("outgoing")}</span>{" "}
          {usage ? formatRate(usage.network_out_bytes_s) : say("unknown")}
        </span>
      </td>
      <td className="node-table-lesser">
        <Meter
          label={disk?.path ?? say("disk")}
          value={diskPercent === null ? say("unknown") : `${Math.round(diskPercent)} %`}
          percent={diskPercent}
          tone={diskTone(diskPercent)}
        />
      </td>
      <td className="node-table-number number">
        <span className="node-table-label soft">{say("jobs")}</span> {node.jobs.length}
      </td>
      {draining.allowed && (
        <td className="node-table-actions">
          <Button
            size="small"
            disabled={draining.busy}
            aria-label={say(isOut ? "undrainNode" : "drainNode", { node: node.name })}
            onClick={() => draining.drainNode(node.name, !isOut)}
          >
            {say(isOut ? "undrain" : "drain")}
          </Button>
        </td>
      )}
    </tr>
  );
}
