import { Result } from "antd";
import type { JobDetail } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { LinkButton } from "@/ui/action/LinkButton";
import { words } from "../words";
import type { Obstacle } from "./editable";

const HINTS = {
  element: "elementHint",
  notYours: "notYoursHint",
  deleted: "deletedHint",
  running: "runningHint",
  array: "arrayHint",
} as const;

/** Why not, and what to do instead. */
export function CannotEdit({ detail: { job }, obstacle }: { detail: JobDetail; obstacle: Obstacle | null }) {
  const say = useWords(words);
  const mayCopy = obstacle === "running" || obstacle === "array";
  return (
    <Result
      status="info"
      title={say("cannotEdit", { ref: job.ref })}
      subTitle={say(HINTS[obstacle ?? "running"], { owner: job.owner })}
      extra={[
        mayCopy && (
          <LinkButton
            key="like"
            color="primary"
            variant="solid"
            to="/jobs/new"
            search={{ like: String(job.id) }}
          >
            {say("likeButton")}
          </LinkButton>
        ),
        obstacle === "element" && (
          <LinkButton
            key="array"
            color="primary"
            variant="solid"
            to="/jobs/$ref/edit"
            params={{ ref: String(job.id) }}
          >
            {say("editArray")}
          </LinkButton>
        ),
        <LinkButton key="job" to="/jobs/$ref" params={{ ref: job.ref }}>
          {say("toJob")}
        </LinkButton>,
      ]}
    />
  );
}
