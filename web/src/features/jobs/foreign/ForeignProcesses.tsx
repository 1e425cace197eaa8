import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { nodesQuery } from "@/lib/api/queries";
import { formatMegabytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { words } from "../words";
import { foreignProcesses } from "./foreign";
import "./ForeignProcesses.css";

/** Who is on our GPUs without a job; nothing where there is no such process. */
export function ForeignProcesses() {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const { data: nodes } = useQuery(nodesQuery);
  const found = useMemo(() => foreignProcesses(nodes ?? []), [nodes]);
  if (found.length === 0) return null;
  return (
    <section className="foreign" aria-labelledby="foreign-title">
      <h2 id="foreign-title">{say("foreign")}</h2>
      <p className="soft">{say("foreignHint")}</p>
      <div className="foreign-box">
        <table>
          <thead>
            <tr>
              <th>{say("foreignGpu")}</th>
              <th>{say("foreignOwner")}</th>
              <th className="foreign-number">{say("foreignPid")}</th>
              <th>{say("foreignCommand")}</th>
              <th className="foreign-number">{say("foreignMemory")}</th>
            </tr>
          </thead>
          <tbody>
            {found.map(({ node, gpu, pid, user, command, memory_mb }) => (
              <tr key={`${node}:${gpu}:${pid}`}>
                <td>
                  <i className="foreign-dot" aria-hidden />
                  <Link to="/nodes/$name" params={{ name: node }}>{`${node}:${gpu}`}</Link>
                </td>
                <td>{user || vocabulary("gpu.hidden")}</td>
                <td className="foreign-number number">{pid}</td>
                <td className="mono foreign-command">{command}</td>
                <td className="foreign-number number">{formatMegabytes(memory_mb)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
