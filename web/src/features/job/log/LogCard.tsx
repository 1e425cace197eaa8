import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Alert, Card } from "antd";
import { useMemo, useRef, useState } from "react";
import { answer, api } from "@/lib/api/client";
import type { JobDetail } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { LinkButton } from "@/ui/action/LinkButton";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import type { LogName } from "./follow/source";
import { LogChoice } from "./LogChoice";
import { LogView } from "./LogView";
import { type FullScreen, useFullScreen } from "./useFullScreen";
import { type ShownAttempt, useShownAttempt } from "./useShownAttempt";
import { words } from "./words";
import "./Log.css";

/** The log of a job, as soon as there is one. */
export function LogCard({ detail }: { detail: JobDetail }) {
  const say = useWords(words);
  const search = useSearch({ from: "/jobs/$ref" });
  const { ref, attempt: latest, ended_at } = detail.job;
  const shown = useShownAttempt(latest, search.attempt);
  const { attempt } = shown;
  const isThere = attempt > 0 && attempt <= latest;
  const card = useRef<HTMLDivElement>(null);
  const full = useFullScreen(card, isThere);
  const tasks = detail.attempts.find(({ number }) => number === attempt)?.tasks?.length ?? 1;
  const isLinked = search.at !== undefined;
  const kind = `${isThere ? " log-card-begun" : ""}${full.isFull ? " log-card-full" : ""}`;
  return (
    <Card
      ref={card}
      className={`log-card${kind}`}
      styles={{ body: { padding: 0 } }}
      {...(full.isFull && { role: "dialog", "aria-modal": true, "aria-label": say("log"), tabIndex: -1 })}
    >
      {attempt > latest ? (
        <NoSuchLog
          title={say("noAttempt", { number: attempt })}
          hint={say("noAttemptHint", { count: latest })}
          onLeave={shown.goOn}
        />
      ) : isLinked && (search.rank ?? 0) >= tasks ? (
        <NoSuchLog
          title={say("noRank", { number: attempt, rank: search.rank ?? 0 })}
          hint={say("noRankHint", { count: tasks })}
          onLeave={shown.goOn}
        />
      ) : attempt > 0 ? (
        <BegunLog
          detail={detail}
          attempt={attempt}
          stream={search.stream ?? "stdout"}
          // Another attempt may have run on fewer nodes.
          rank={(search.rank ?? 0) < tasks ? (search.rank ?? 0) : 0}
          full={full}
          shown={shown}
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

/** The address names a log that there is not. */
function NoSuchLog({ title, hint, onLeave }: { title: string; hint: string; onLeave: () => void }) {
  const say = useWords(words);
  return (
    <div className="log-before">
      <Nothing
        title={title}
        hint={hint}
        action={
          <LinkButton from="/jobs/$ref" to="." search={{}} onClick={onLeave}>
            {say("showLatest")}
          </LinkButton>
        }
      />
    </div>
  );
}

interface BegunLogProps {
  detail: JobDetail;
  attempt: number;
  rank: number;
  stream: LogName["stream"];
  full: FullScreen;
  shown: ShownAttempt;
}

/** The choice stays where it is while logs come and go: who chooses a rank with the keys goes on choosing. */
function BegunLog({ detail, attempt, rank, stream, full, shown }: BegunLogProps) {
  const { ref } = detail.job;
  const name = useMemo(() => ({ ref, attempt, rank, stream }), [ref, attempt, rank, stream]);
  const asked = useLogInfo(name);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  return (
    <>
      <div className="log-toolbar">
        <LogChoice detail={detail} name={name} isMerged={asked.data?.merged ?? true} onLatest={shown.goOn} />
        <div className="log-tools" ref={setTools} />
      </div>
      <ChosenLog detail={detail} name={name} asked={asked} tools={tools} full={full} shown={shown} />
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
  shown: ShownAttempt;
}

function ChosenLog({ detail, name, asked, tools, full, shown }: ChosenLogProps) {
  const say = useWords(words);
  const { data: info, error, refetch } = asked;
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
        shown={shown}
      />
    </>
  );
}
