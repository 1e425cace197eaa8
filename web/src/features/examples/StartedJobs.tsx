import { useQueries } from "@tanstack/react-query";
import { Alert, Button } from "antd";
import { useEffect, useRef } from "react";
import { useMe } from "@/app/session";
import { jobQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { maySubmit } from "@/lib/rights";
import { LinkButton } from "@/ui/action/LinkButton";
import { StartedJob } from "./StartedJob";
import { words } from "./words";

/** A browser holds few connections to one server: so many logs are followed at a time. */
const MOST_FOLLOWED = 3;

/** What was started, watched to its end; and then what to do next. */
export function StartedJobs({ refs, onClose }: { refs: string[]; onClose: () => void }) {
  const say = useWords(words);
  const submits = maySubmit(useMe());
  const heading = useRef<HTMLHeadingElement>(null);
  const details = useQueries({ queries: refs.map((ref) => jobQuery(ref)) });
  const areas = details.map(({ data }) => data?.job.area);
  const isDone = areas.every((area) => area === "history");
  const isWell = details.every(({ data }) => data?.job.state === "succeeded");
  const last = refs.at(-1) ?? "";
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);
  return (
    <section className="started" aria-labelledby="started-title">
      <div className="started-head">
        <h2 id="started-title" ref={heading} tabIndex={-1}>
          {say("watching")}
        </h2>
        <span className="soft">{!isDone && say("watchingHint")}</span>
        <Button size="small" onClick={onClose}>
          {say("close")}
        </Button>
      </div>
      <div className="started-jobs">
        {refs.map((ref, place) => (
          <StartedJob
            key={ref}
            id={ref}
            detail={details[place]?.data ?? null}
            error={details[place]?.error ?? null}
            followed={place < MOST_FOLLOWED}
          />
        ))}
      </div>
      {isDone && (
        <Alert
          type={isWell ? "success" : "warning"}
          showIcon
          role="status"
          title={say(isWell ? "done" : "doneFailed")}
          description={submits && say("doneNext")}
          action={
            submits && (
              <LinkButton color="primary" variant="solid" to="/jobs/new" search={{ like: last }}>
                {say("makeYours")}
              </LinkButton>
            )
          }
        />
      )}
    </section>
  );
}
