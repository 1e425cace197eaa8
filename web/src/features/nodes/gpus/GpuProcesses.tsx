import { Link } from "@tanstack/react-router";
import type { GpuProcessRow, NodeRow } from "@/lib/api/schema";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";
import "@/ui/value/FactTable.css";

/** Who is on the GPUs, whether Danlu put them there or not. */
export function GpuProcesses({ node }: { node: NodeRow }) {
  const say = useWords(words);
  const processes = node.gpus.flatMap(({ index, processes }) =>
    (processes ?? []).map((each) => ({ index, ...each })),
  );
  if (processes.length === 0)
    return <p className="soft node-none">{say(node.state === "lost" ? "unreachable" : "noProcesses")}</p>;
  return (
    <div className="fact-table-frame">
      <table className="fact-table fact-table-lines">
        <thead>
          <tr>
            <th scope="col">{say("gpuColumn")}</th>
            <th scope="col">{say("owner")}</th>
            <th scope="col">{say("job")}</th>
            <th scope="col" className="fact-table-number">
              {say("gpuMemory")}
            </th>
            <th scope="col" className="fact-table-number">
              {say("pid")}
            </th>
            <th scope="col">{say("command")}</th>
          </tr>
        </thead>
        <tbody>
          {processes.map((process) => (
            <tr key={`${process.index}/${process.pid}`}>
              <th scope="row">{say("gpu", { index: process.index })}</th>
              <td>{process.user || <span className="soft">{say("hidden")}</span>}</td>
              <td>
                <WhoseJob process={process} />
              </td>
              <td className="fact-table-number">
                {process.memory_mb > 0 ? formatMegabytes(process.memory_mb) : say("unknown")}
              </td>
              <td className="fact-table-number" data-label={say("pid")}>
                {process.pid}
              </td>
              <td className="mono fact-table-long">{process.command || say("unknown")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WhoseJob({ process: { job, graphics } }: { process: GpuProcessRow }) {
  const say = useWords(words);
  if (job === null || job === undefined) {
    return <span className="soft">{say(graphics ? "draws" : "notOurs")}</span>;
  }
  return (
    <Link to="/jobs/$ref" params={{ ref: String(job) }}>
      #{job}
    </Link>
  );
}
