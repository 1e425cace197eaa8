import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Alert, Card, Segmented, Select } from "antd";
import { useMemo, useRef, useState } from "react";
import { answer, api } from "@/lib/api/client";
import type { JobDetail } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Loading } from "@/ui/Loading";
import { Nothing } from "@/ui/Nothing";
import { LogView } from "./LogView";
import type { LogName } from "./source";
import { type FullScreen, useFullScreen } from "./useFullScreen";
import { words } from "./words";
import "./Log.css";

/** More than fit into the opened choice. */
const MANY_RANKS = 8;

/** The log of a job, as soon as there is one. */
export function LogCard({ detail }: { detail: JobDetail }) {
  const say = useWords(words);
  const search = useSearch({ from: "/jobs/$ref" });
  const { ref, attempt: latest, ended_at } = detail.job;
  const attempt = search.attempt ?? latest;
  const card = useRef<HTMLDivElement>(null);
  const full = useFullScreen(card, attempt > 0);
  const kind = `${attempt > 0 ? " log-card-begun" : ""}${full.isFull ? " log-card-full" : ""}`;
  return (
    <Card
      ref={card}
      className={`log-card${kind}`}
      styles={{ body: { padding: 0 } }}
      {...(full.isFull && { role: "dialog", "aria-modal": true, "aria-label": say("log"), tabIndex: -1 })}
    >
      {attempt > 0 ? (
        <BegunLog
          detail={detail}
          attempt={attempt}
          stream={search.stream ?? "stdout"}
          rank={rankOf(detail, attempt, search.rank)}
          full={full}
          key={`${ref} ${attempt}`}
        />
      ) : (
        <div className="log-before">
          {ended_at === null || ended_at === undefined ? (
            <Nothing title={say("waiting")} hint={say("waitingHint")} />
          ) : (
            <Nothing title={say("neverRan")} hint={say("neverRanHint")} />
          )}
        </div>
      )}
    </Card>
  );
}

interface BegunLogProps {
  detail: JobDetail;
  attempt: number;
  rank: number;
  stream: LogName["stream"];
  full: FullScreen;
}

/** The choice stays where it is while logs come and go: who chooses a rank with the keys goes on choosing. */
function BegunLog({ detail, attempt, rank, stream, full }: BegunLogProps) {
  const { ref } = detail.job;
  const name = useMemo(() => ({ ref, attempt, rank, stream }), [ref, attempt, rank, stream]);
  const asked = useLogInfo(name);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  return (
    <>
      <div className="log-toolbar">
        <LogChoice detail={detail} name={name} isMerged={asked.data?.merged ?? true} />
        <div className="log-tools" ref={setTools} />
      </div>
      <ChosenLog detail={detail} name={name} asked={asked} tools={tools} full={full} />
    </>
  );
}

function useLogInfo({ ref, attempt, rank, stream }: LogName) {
  return useQuery({
    queryKey: ["job", ref, "log-info", attempt, rank, stream],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/v1/jobs/{job_id}/log/info", {
          params: { path: { job_id: ref }, query: { attempt, rank, stream } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

interface ChosenLogProps {
  detail: JobDetail;
  name: LogName;
  asked: ReturnType<typeof useLogInfo>;
  tools: HTMLElement | null;
  full: FullScreen;
}

function ChosenLog({ detail, name, asked: { data: info, error, refetch }, tools, full }: ChosenLogProps) {
  const say = useWords(words);
  if (error) {
    return (
      <div className="log-before">
        <ErrorNotice error={error} retry={() => void refetch()} />
      </div>
    );
  }
  if (!info || info.stream !== name.stream || info.rank !== name.rank)
    return <Loading lines={9} className="log-before" />;
  if (info.discarded || info.problem) {
    return (
      <div className="log-before">
        {info.discarded ? (
          <Nothing title={say("discarded")} hint={say("discardedHint")} />
        ) : (
          <Alert type="warning" showIcon title={info.problem} />
        )}
      </div>
    );
  }
  const row = detail.attempts.find(({ number }) => number === name.attempt);
  return (
    <>
      {info.replaced && <Alert banner type="warning" title={say("replaced")} />}
      <LogView
        key={`${name.rank} ${name.stream}`}
        name={name}
        info={info}
        attempt={row}
        tools={tools}
        full={full}
      />
    </>
  );
}

/** A rank that the attempt has; another attempt may have run on fewer nodes. */
function rankOf({ attempts }: JobDetail, attempt: number, wanted = 0): number {
  const row = attempts.find(({ number }) => number === attempt);
  return wanted < (row?.tasks?.length ?? 1) ? wanted : 0;
}

/** Which attempt, which of its ranks, and which of their outputs; each has an address of its own. */
function LogChoice({ detail, name, isMerged }: { detail: JobDetail; name: LogName; isMerged: boolean }) {
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
          onChange={(attempt) =>
            void navigate({
              search: (now) => ({ ...now, attempt: attempt === job.attempt ? undefined : attempt }),
              replace: true,
            })
          }
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
            void navigate({ search: (now) => ({ ...now, rank: rank || undefined }), replace: true })
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
              search: (now) => ({ ...now, stream: stream === "stderr" ? "stderr" : undefined }),
              replace: true,
            })
          }
        />
      )}
    </div>
  );
}
