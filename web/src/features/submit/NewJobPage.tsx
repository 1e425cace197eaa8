import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Alert, App } from "antd";
import { useState } from "react";
import { useMe } from "@/app/session";
import { answer, api } from "@/lib/api/client";
import { defaultsQuery, newJobQuery } from "@/lib/api/queries";
import type { JobFields, JobToCheck } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { maySubmit } from "@/lib/rights";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { OnlyLooking } from "@/ui/page/OnlyLooking";
import { PageHeader } from "@/ui/page/PageHeader";
import { toForm } from "./form/jobForm";
import { JobEditor } from "./JobEditor";
import { useLike } from "./useLike";
import { words } from "./words";

export default function NewJobPage() {
  const say = useWords(words);
  const { like } = useSearch({ from: "/jobs/new" });
  if (!maySubmit(useMe())) return <OnlyLooking />;
  return (
    <>
      <PageHeader
        title={like ? say("likeTitle", { ref: like }) : say("newTitle")}
        note={say(like ? "likeNote" : "newNote")}
      />
      {like ? <LikeForm key={like} like={like} /> : <EmptyForm key="" />}
    </>
  );
}

function EmptyForm() {
  const { data: defaults, error, refetch } = useQuery(defaultsQuery);
  const beginning = useQuery(newJobQuery);
  const retry = () => void Promise.all([refetch(), beginning.refetch()]);
  if (defaults && beginning.data) {
    return <NewJobForm address="/jobs/new" defaults={defaults} from={beginning.data} like={null} />;
  }
  const trouble = error ?? beginning.error;
  return trouble ? <ErrorNotice error={trouble} retry={retry} /> : <Loading />;
}

function LikeForm({ like }: { like: string }) {
  const say = useWords(words);
  const { data: defaults } = useQuery(defaultsQuery);
  const { fields, owner, error, retry } = useLike(like);
  if (error) return <ErrorNotice error={error} retry={retry} />;
  if (owner !== null && fields === null) {
    return <Alert type="warning" showIcon title={say("notYoursLike", { ref: like, owner })} />;
  }
  if (!fields || !defaults) return <Loading />;
  return <NewJobForm address={`/jobs/new?like=${like}`} defaults={defaults} from={fields} like={like} />;
}

interface NewJobFormProps {
  address: string;
  defaults: JobFields;
  /** What the form begins with. */
  from: JobFields;
  /** The job whose values these are, if they are one's. */
  like: string | null;
}

function NewJobForm({ address, defaults, from, like }: NewJobFormProps) {
  const say = useWords(words);
  const navigate = useNavigate();
  const { message } = App.useApp();
  // What the form began with stays: it is compared with, whatever happens to the original meanwhile.
  const [base] = useState(() => toForm(from));
  return (
    <JobEditor
      address={address}
      base={base}
      origin={like ? "job" : "defaults"}
      defaults={defaults}
      toCheck={checkNew}
      send={submitNew}
      submitLabel={say("submit")}
      onCancel={() =>
        void (like ? navigate({ to: "/jobs/$ref", params: { ref: like } }) : navigate({ to: "/jobs" }))
      }
      onDone={(ref) => {
        void message.success(say("submitted", { ref }));
        void navigate({ to: "/jobs/$ref", params: { ref } });
      }}
    />
  );
}

// The form began with the defaults and says all that it shows: what is empty in it is meant to be empty.
function checkNew(fields: JobFields): JobToCheck {
  return { fields, defaults: false };
}

async function submitNew(body: JobFields, key: string): Promise<string> {
  const { id } = await answer(
    api.POST("/api/v1/jobs", {
      body,
      params: { query: { defaults: false }, header: { "Idempotency-Key": key } },
    }),
  );
  return String(id);
}
