import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { jobQuery } from "@/lib/api/queries";
import type { JobDetail, JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { StateTag } from "@/ui/job/StateTag";
import { Panel } from "../Panel";
import { words } from "../words";
import { type Edge, edgeX, type Neighbour, neighboursOf } from "./graph";

/** What it waits for and what waits for it, one step each way. */
export function JobGraph({ detail }: { detail: JobDetail }) {
  const say = useWords(words);
  const { before, moreBefore, after, moreAfter } = neighboursOf(detail);
  const asked = [...before, ...after].map(({ id }) => jobQuery(String(id)));
  const found = new Map(
    useQueries({ queries: asked }).flatMap(({ data }) => (data ? [[data.job.id, data] as const] : [])),
  );
  const afterEdges = after.map(({ id }): Edge => {
    const needsSuccess = found.get(id)?.after_ok.includes(detail.job.id);
    return needsSuccess ? "ok" : "any";
  });
  return (
    <Panel title={say("dependencies")} kind="graph">
      <div className="job-graph">
        {before.length > 0 && (
          <>
            <Level title={say("predecessors")} neighbours={before} found={found} more={moreBefore} />
            <Edges edges={before.map(({ edge }) => edge)} goesIn />
          </>
        )}
        <div className="job-graph-this">
          <Box job={detail.job} />
        </div>
        {after.length > 0 && (
          <>
            <Edges edges={afterEdges} goesIn={false} />
            <Level title={say("successors")} neighbours={after} found={found} more={moreAfter} />
          </>
        )}
      </div>
      <p className="job-graph-legend soft">
        <span>
          <i className="job-graph-solid" aria-hidden="true" /> {say("mustSucceed")}
        </span>
        <span>
          <i className="job-graph-dashed" aria-hidden="true" /> {say("mustEnd")}
        </span>
      </p>
    </Panel>
  );
}

interface LevelProps {
  title: string;
  neighbours: readonly Neighbour[];
  found: ReadonlyMap<number, JobDetail>;
  more: number;
}

function Level({ title, neighbours, found, more }: LevelProps) {
  const say = useWords(words);
  return (
    <div className="job-graph-level">
      <ul aria-label={title}>
        {neighbours.map(({ id }) => (
          <li key={id}>
            <Link to="/jobs/$ref" params={{ ref: String(id) }}>
              <Box job={found.get(id)?.job} id={id} />
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && <span className="soft job-graph-more">{say("moreJobs", { count: more })}</span>}
    </div>
  );
}

function Box({ job, id }: { job?: JobRow; id?: number }) {
  return (
    <span className="job-graph-box">
      <span className="job-graph-name">
        <span className="mono soft">{job?.ref ?? id}</span> {job?.name}
      </span>
      {job && <StateTag state={job.state} />}
    </span>
  );
}

/** Lines from a row of boxes to the one box, or from it. */
function Edges({ edges, goesIn }: { edges: readonly Edge[]; goesIn: boolean }) {
  return (
    <svg className="job-graph-edges" viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true">
      {edges.map((edge, at) => {
        const x = edgeX(at, edges.length);
        const [from, to] = goesIn ? [x, 50] : [50, x];
        return (
          <path
            key={at}
            className={edge === "ok" ? "job-graph-edge" : "job-graph-edge job-graph-edge-any"}
            d={`M ${from} 0 C ${from} 16, ${to} 16, ${to} 32`}
          />
        );
      })}
    </svg>
  );
}
