import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { NodeRow, Status } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import type { ConditionCounts } from "@/ui/gpu/GpuCondition";
import { GpuLegend } from "@/ui/gpu/GpuLegend";
import { goodCount, missingCount } from "@/ui/look/countTone";
import { words } from "./words";
import "./ClusterNumbers.css";

interface ClusterNumbersProps {
  counts: ConditionCounts;
  status: Status | undefined;
  nodes: readonly NodeRow[];
}

/** The cluster at a glance: how many GPUs are free, what runs, what waits, which nodes are there. */
export function ClusterNumbers({ counts, status, nodes }: ClusterNumbersProps) {
  const say = useWords(words);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const up = nodes.filter(({ state }) => state === "up").length;
  return (
    <section className="cluster-numbers overview-panel" aria-label={say("cluster")}>
      <div className="cluster-gpus">
        <div className="cluster-free">
          <b className={`number ${goodCount(counts.free)}`}>{counts.free}</b>
          <span>
            {say("freeOf", { total: counts.free })}{" "}
            <span className="soft number">{say("of", { total })}</span>
          </span>
        </div>
        {total > 0 ? <GpuLegend counts={counts} /> : <p className="soft">{say("noGpusAtAll")}</p>}
      </div>
      <div className="cluster-facts">
        <Fact number={status?.running} label={say("running")}>
          <Link
            to="/jobs"
            search={{ area: "running" }}
            className="cluster-link"
            aria-label={say("runningJobs")}
          />
        </Fact>
        <Fact number={status?.waiting} label={say("waiting")}>
          <Link
            to="/jobs"
            search={{ area: "waiting" }}
            className="cluster-link"
            aria-label={say("nowWaiting")}
          />
        </Fact>
        <Fact number={up} of={nodes.length} label={say("nodesUp")} tone={missingCount(up, nodes.length)}>
          <Link to="/nodes" className="cluster-link" aria-label={say("nodes")} />
        </Fact>
      </div>
    </section>
  );
}

interface FactProps {
  number: number | undefined;
  of?: number;
  label: string;
  tone?: string;
  children: ReactNode;
}

function Fact({ number, of, label, tone, children }: FactProps) {
  const say = useWords(words);
  return (
    <div className="cluster-fact">
      <div className="number">
        <b className={tone}>{number ?? say("unknown")}</b>
        {of !== undefined && <span className="soft"> / {of}</span>}
      </div>
      <div className="soft">{label}</div>
      {children}
    </div>
  );
}
