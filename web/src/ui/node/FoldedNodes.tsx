import { Button } from "antd";
import { type ReactNode, useState } from "react";
import type { NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { Nothing } from "../page/Nothing";
import { words } from "./NodeFilterWords";

interface FoldedNodesProps {
  nodes: readonly NodeRow[];
  /** How many at a time: a thousand at once is slow to draw, and no user looks at them all. */
  step: number;
  /** When they are not all: leads back to all. */
  onAll?: (() => void) | undefined;
  children: (shown: readonly NodeRow[]) => ReactNode;
}

/** The first of many nodes, and the next ones on demand. */
export function FoldedNodes({ nodes, step, onAll, children }: FoldedNodesProps) {
  const say = useWords(words);
  const [limit, setLimit] = useState(step);
  if (nodes.length === 0)
    return (
      <Nothing
        title={say("noneLike")}
        action={
          onAll && (
            <Button type="link" onClick={onAll}>
              {say("clear")}
            </Button>
          )
        }
      />
    );
  const rest = nodes.length - limit;
  return (
    <>
      {children(rest > 0 ? nodes.slice(0, limit) : nodes)}
      {rest > 0 && (
        <div className="fold">
          <span className="soft number">{say("shownOf", { shown: limit, total: nodes.length })}</span>
          <Button onClick={() => setLimit(limit + step)}>
            {say("showMore", { count: Math.min(step, rest) })}
          </Button>
        </div>
      )}
    </>
  );
}
