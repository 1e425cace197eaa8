import { ArrowLeftOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useMe } from "@/app/session";
import { jobQuery } from "@/lib/api/queries";
import type { JobDetail } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { isEnded } from "@/lib/jobStates";
import { maySubmit } from "@/lib/rights";
import { LinkButton } from "@/ui/action/LinkButton";
import { StateTag } from "@/ui/job/StateTag";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { isNoSuchJob, NoSuchJob } from "@/ui/page/NoSuch";
import { OnlyLooking } from "@/ui/page/OnlyLooking";
import { PageHeader } from "@/ui/page/PageHeader";
import { CannotEdit } from "./edit/CannotEdit";
import { EditJobForm } from "./edit/EditJobForm";
import { whyNotEditable } from "./edit/editable";
import { words } from "./words";

/** Nothing of the job is asked for where it could not be edited anyway. */
export default function EditJobPage() {
  return maySubmit(useMe()) ? <JobToEdit /> : <OnlyLooking />;
}

function JobToEdit() {
  const say = useWords(words);
  const { ref } = useParams({ from: "/jobs/$ref/edit" });
  const { data, error, refetch } = useQuery(jobQuery(ref));
  if (isNoSuchJob(error) && !data) return <NoSuchJob jobRef={ref} error={error} />;
  return (
    <>
      <PageHeader
        title={say("editTitle", { ref })}
        note={data && !whyNotEditable(data) && <EditNote detail={data} />}
        actions={
          <>
            {data && <StateTag state={data.job.state} />}
            <LinkButton type="text" icon={<ArrowLeftOutlined aria-hidden />} to="/jobs/$ref" params={{ ref }}>
              {say("toJob")}
            </LinkButton>
          </>
        }
      />
      {data ? (
        <Editing key={ref} detail={data} />
      ) : error ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  );
}

/** What saving will do. */
function EditNote({ detail }: { detail: JobDetail }) {
  const say = useWords(words);
  return isEnded(detail.job.state)
    ? say("editEnded", { attempt: detail.job.attempt + 1 })
    : say("editWaiting");
}

/** A form that was opened stays open, whatever becomes of the job: what was typed is not taken away. */
function Editing({ detail }: { detail: JobDetail }) {
  const obstacle = whyNotEditable(detail);
  const [began] = useState(obstacle === null);
  if (!began || !detail.fields) return <CannotEdit detail={detail} obstacle={obstacle} />;
  return <EditJobForm detail={detail} fields={detail.fields} obstacle={obstacle} />;
}
