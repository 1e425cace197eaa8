import { useNavigate } from "@tanstack/react-router";
import { Segmented, Select } from "antd";
import type { JobDetail } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import type { LogName } from "./follow/source";
import { words } from "./words";

/** A place in one log is none in another. */
export const UNMARKED = { at: undefined, to: undefined };
/** More than fit into the opened choice. */
const MANY_RANKS = 8;

interface LogChoiceProps {
  detail: JobDetail;
  name: LogName;
  isMerged: boolean;
  /** The latest attempt is wanted. */
  onLatest: () => void;
}

/** Which attempt, which of its ranks, and which of their outputs; each has an address of its own. */
export function LogChoice({ detail, name, isMerged, onLatest }: LogChoiceProps) {
  const say = useWords(words);
  const navigate = useNavigate({ from: "/jobs/$ref" });
  const { attempts, job } = detail;
  const tasks = attempts.find(({ number }) => number === name.attempt)?.tasks ?? [];
  return (
    <div className="log-choice">
      <h2 className="log-title">{say("log")}</h2>
      {attempts.length > 1 && (
        <Select
          value={name.attempt}
          aria-label={say("whichAttempt")}
          popupMatchSelectWidth={false}
          options={attempts
            .map(({ number }) => ({ value: number, label: say("attempt", { number }) }))
            .reverse()}
          onChange={(attempt) => {
            const isLatest = attempt === job.attempt;
            if (isLatest) onLatest();
            void navigate({
              search: (now) => ({ ...now, ...UNMARKED, attempt: isLatest ? undefined : attempt }),
              replace: true,
            });
          }}
        />
      )}
      {tasks.length > 1 && (
        <Select
          value={name.rank}
          aria-label={say("whichRank")}
          popupMatchSelectWidth={false}
          showSearch={tasks.length > MANY_RANKS && { optionFilterProp: "label" }}
          options={tasks.map(({ rank, node }) => ({ value: rank, label: say("rank", { rank, node }) }))}
          onChange={(rank) =>
            void navigate({
              search: (now) => ({ ...now, ...UNMARKED, rank: rank || undefined }),
              replace: true,
            })
          }
        />
      )}
      {!isMerged && (
        <Segmented
          value={name.stream}
          aria-label={say("whichStream")}
          options={[
            { value: "stdout", label: say("output") },
            { value: "stderr", label: say("errors") },
          ]}
          onChange={(stream) =>
            void navigate({
              search: (now) => ({ ...now, ...UNMARKED, stream: stream === "stderr" ? "stderr" : undefined }),
              replace: true,
            })
          }
        />
      )}
    </div>
  );
}
