import { useNavigate } from "@tanstack/react-router";
import { Alert, App, Button } from "antd";
import { useState } from "react";
import { useMe } from "@/app/session";
import { answer, api } from "@/lib/api/client";
import type { JobDetail, JobFields } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { isEnded } from "@/lib/jobStates";
import { changesBetween, isEmptyEdit } from "../form/changes";
import { draftPlace, dropDraft, makeKey, writeDraft } from "../form/draft";
import { type JobForm, toForm } from "../form/jobForm";
import { JobEditor } from "../JobEditor";
import { words } from "../words";
import { type Obstacle, ownFields } from "./editable";

interface EditJobFormProps {
  detail: JobDetail;
  fields: JobFields;
  /** What has come between since the form was opened. */
  obstacle: Obstacle | null;
}

export function EditJobForm({ detail, obstacle }: EditJobFormProps) {
  const say = useWords(words);
  const navigate = useNavigate();
  const { name } = useMe();
  const { message } = App.useApp();
  const now = ownFields(detail);
  // What the form began with stays: only what the user changed since is sent.
  const [own, setOwn] = useState(now);
  const [round, setRound] = useState(0);
  const ref = detail.job.ref;
  const address = `/jobs/${ref}/edit`;
  const wasEdited = !isEmptyEdit(changesBetween(own, now));

  function backToJob() {
    void navigate({ to: "/jobs/$ref", params: { ref } });
  }

  function copy(form: JobForm) {
    dropDraft(draftPlace(name, address));
    writeDraft(draftPlace(name, `/jobs/new?like=${ref}`), { form, key: makeKey() });
    void navigate({ to: "/jobs/new", search: { like: ref } });
  }

  function takeNew() {
    dropDraft(draftPlace(name, address));
    setOwn(now);
    setRound((n) => n + 1);
  }

  async function save(fields: JobFields): Promise<string> {
    const body = changesBetween(own, fields);
    await answer(api.PATCH("/api/v1/jobs/{job_id}", { params: { path: { job_id: ref } }, body }));
    return ref;
  }

  return (
    <EditRound
      key={round}
      own={own}
      address={address}
      detail={detail}
      obstacle={obstacle}
      save={save}
      onDone={() => {
        void message.success(say("saved", { ref }));
        backToJob();
      }}
      onCancel={backToJob}
      notice={(form) => (
        <>
          {obstacle && <Begun onCopy={() => copy(form)} />}
          {!obstacle && wasEdited && <EditedMeanwhile onTake={takeNew} />}
        </>
      )}
    />
  );
}

interface EditRoundProps {
  own: JobFields;
  address: string;
  detail: JobDetail;
  obstacle: Obstacle | null;
  save: (fields: JobFields) => Promise<string>;
  onDone: () => void;
  onCancel: () => void;
  notice: (form: JobForm) => React.ReactNode;
}

function EditRound({ own, address, detail, obstacle, save, onDone, onCancel, notice }: EditRoundProps) {
  const say = useWords(words);
  const [base] = useState(() => toForm(own));
  const ended = isEnded(detail.job.state);
  return (
    <JobEditor
      address={address}
      base={base}
      origin="job"
      defaults={null}
      toCheck={(fields) => {
        const { set, clear } = changesBetween(own, fields);
        return { fields: set, clear, job: detail.job.ref, defaults: true };
      }}
      send={save}
      submitLabel={say(ended ? "saveRunAgain" : "save")}
      needsChange={!ended}
      blocked={obstacle !== null}
      onDone={onDone}
      onCancel={onCancel}
      notice={notice}
    />
  );
}

function Begun({ onCopy }: { onCopy: () => void }) {
  const say = useWords(words);
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      title={say("begunTitle")}
      description={say("begunHint")}
      action={<Button onClick={onCopy}>{say("begunCopy")}</Button>}
    />
  );
}

function EditedMeanwhile({ onTake }: { onTake: () => void }) {
  const say = useWords(words);
  return (
    <Alert
      type="info"
      showIcon
      role="status"
      title={say("changedTitle")}
      description={say("changedHint")}
      action={<Button onClick={onTake}>{say("changedTake")}</Button>}
    />
  );
}
