import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { nodesQuery } from "@/lib/api/queries";
import type { AttemptRow, JobDetail, TaskRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { gpuRanges } from "@/ui/gpu/GpuRanges";
import { Mark } from "@/ui/look/Mark";
import { Lasting } from "@/ui/value/Time";
import { Panel } from "./Panel";
import { rankState } from "./ranks";
import { words } from "./words";

/** The tasks of an attempt over several nodes: where each runs and how it fares. */
export function JobRanks({ detail, mayRead }: { detail: JobDetail; mayRead: boolean }) {
  const say = useWords(words);
  const { data: nodes = [] } = useQuery(nodesQuery);
  const lost = new Set(nodes.filter(({ state }) => state === "lost").map(({ name }) => name));
  const attempt = detail.attempts.find(({ number }) => number === detail.job.attempt);
  const tasks = attempt?.tasks ?? [];
  if (!attempt || tasks.length < 2) return null;
  return (
    <Panel title={say("ranks")} kind="ranks">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="job-tasks-scroll" aria-label={say("ranks")} tabIndex={0}>
        <table className="job-tasks job-ranks">
          <thead>
            <tr>
              <th scope="col">{say("rank")}</th>
              <th scope="col">{say("stateColumn")}</th>
              <th scope="col">{say("where")}</th>
              <th scope="col">{say("duration")}</th>
              <th scope="col">{say("end")}</th>
            </tr>
          </thead>
          <tbody>
            {tasks.map((task) => (
              <RankLine
                key={task.rank}
                task={task}
                attempt={attempt}
                jobRef={detail.job.ref}
                mayRead={mayRead}
                isNodeLost={lost.has(task.node)}
              />
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

function RankLine({
  task,
  attempt,
  jobRef,
  mayRead,
  isNodeLost,
}: {
  task: TaskRow;
  attempt: AttemptRow;
  jobRef: string;
  mayRead: boolean;
  isNodeLost: boolean;
}) {
  const say = useWords(words);
  const name = useVocabulary();
  const shown = useSearch({ from: "/jobs/$ref" }).rank ?? 0;
  const { tone, word } = rankState(task, attempt, isNodeLost);
  const end =
    task.signal != null
      ? name("ended.signal", { signal: task.signal })
      : task.exit_code != null
        ? name("ended.exit_code", { code: task.exit_code })
        : null;
  return (
    <tr>
      <td className="number">
        {mayRead ? (
          <Link
            to="/jobs/$ref"
            params={{ ref: jobRef }}
            search={{ rank: task.rank || undefined }}
            // No rank in the address is one of its own, not any.
            activeOptions={{ exact: true, explicitUndefined: true }}
            replace
            resetScroll={false}
            aria-label={say("logOfRank", { rank: task.rank })}
            aria-current={task.rank === shown ? "true" : undefined}
          >
            {task.rank}
          </Link>
        ) : (
          task.rank
        )}
      </td>
      <td>
        <Mark tone={tone}>{say(word)}</Mark>
      </td>
      <td>
        <Link to="/nodes/$name" params={{ name: task.node }}>
          {task.node}
        </Link>
        {task.gpu_ids.length > 0 && say("onGpus", { ids: gpuRanges(task.gpu_ids) })}
      </td>
      <td>
        <Lasting from={task.started_at} to={task.ended_at ?? attempt.ended_at} />
      </td>
      <td>{end ?? <span className="soft">–</span>}</td>
    </tr>
  );
}
