import { Link } from "@tanstack/react-router";
import type { JobRow, NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useRunningJobs } from "@/ui/gpu/GpuHolders";
import { gpuRanges } from "@/ui/gpu/GpuRanges";
import { StateTag } from "@/ui/job/StateTag";
import { Lasting } from "@/ui/value/Time";
import { words } from "./words";
import "@/ui/value/FactTable.css";

export function NodeJobs({ node }: { node: NodeRow }) {
  const say = useWords(words);
  const running = useRunningJobs();
  const here = new Set(node.jobs);
  const jobs = (running ?? []).filter(({ id }) => here.has(id));
  if (jobs.length === 0) return <p className="soft node-none">{say("noJobsHere")}</p>;
  return (
    <div className="fact-table-frame">
      <table className="fact-table fact-table-lines">
        <thead>
          <tr>
            <th scope="col">{say("job")}</th>
            <th scope="col">{say("owner")}</th>
            <th scope="col">{say("state")}</th>
            <th scope="col">{say("gpus")}</th>
            <th scope="col" className="fact-table-number">
              {say("running")}
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <JobLine key={job.ref} job={job} node={node} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function JobLine({ job, node }: { job: JobRow; node: NodeRow }) {
  const say = useWords(words);
  // Of an array, whatever of it is here.
  const gpus = node.gpus.filter(({ jobs }) => jobs?.includes(job.id)).map(({ index }) => index);
  return (
    <tr>
      <th scope="row">
        <Link to="/jobs/$ref" params={{ ref: job.ref }}>
          <b>#{job.ref}</b> {job.name || say("noName")}
        </Link>
      </th>
      <td>{job.owner}</td>
      <td>
        <StateTag state={job.state} unreachable={job.unreachable_since != null} />
      </td>
      <td data-label={say("gpuColumn")}>{gpuRanges(gpus) || say("unknown")}</td>
      <td className="fact-table-number">
        <Lasting from={job.started_at} />
      </td>
    </tr>
  );
}
