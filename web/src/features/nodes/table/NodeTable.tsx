import { useRef } from "react";
import type { NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import type { Holders } from "@/ui/gpu/GpuHolders";
import { useDrain } from "../useDrain";
import { words } from "../words";
import { NodeTableRow } from "./NodeTableRow";
import { useArrowKeys } from "./useArrowKeys";
import "./NodeTable.css";

export function NodeTable({ nodes, holders }: { nodes: readonly NodeRow[]; holders: Holders }) {
  const say = useWords(words);
  const body = useRef<HTMLTableSectionElement>(null);
  const draining = useDrain();
  useArrowKeys(body);
  return (
    <div className="node-table-frame">
      <table className="node-table">
        <thead>
          <tr>
            <th scope="col">{say("node")}</th>
            <th scope="col">{say("state")}</th>
            <th scope="col">{say("gpus")}</th>
            <th scope="col">{say("cpu")}</th>
            <th scope="col">{say("memory")}</th>
            <th scope="col" className="node-table-lesser">
              {say("network")}
            </th>
            <th scope="col" className="node-table-lesser">
              {say("disk")}
            </th>
            <th scope="col" className="node-table-number">
              {say("jobs")}
            </th>
            {draining.allowed && <th scope="col">{say("actions")}</th>}
          </tr>
        </thead>
        <tbody ref={body}>
          {nodes.map((node) => (
            <NodeTableRow key={node.name} node={node} holders={holders} draining={draining} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
