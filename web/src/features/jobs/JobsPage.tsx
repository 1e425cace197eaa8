import { PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { Button } from "antd";
import { useEffect } from "react";
import { useMe } from "@/app/session";
import { jobListQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { maySubmit } from "@/lib/rights";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { PageHeader } from "@/ui/page/PageHeader";
import { bestArea, type JobsSearch } from "./address";
import { JobList } from "./JobList";
import { ListSkeleton } from "./ListSkeleton";
import { words } from "./words";
import "./JobsPage.css";

export default function JobsPage() {
  const say = useWords(words);
  const navigate = useNavigate();
  const submits = maySubmit(useMe());
  const search = useSearch({ from: "/jobs" });
  return (
    <>
      <PageHeader
        title={say("title")}
        actions={
          submits && (
            <Button
              className="jobs-new"
              type="primary"
              icon={<PlusOutlined />}
              onClick={() => void navigate({ to: "/jobs/new" })}
            >
              {say("newJob")}
            </Button>
          )
        }
      />
      {search.area ? <JobList search={{ ...search, area: search.area }} /> : <ToBestArea search={search} />}
    </>
  );
}

/** A user who names no area is taken to where something is. From then on the address says it. */
function ToBestArea({ search }: { search: JobsSearch }) {
  const navigate = useNavigate();
  const router = useRouter();
  const { sort, ...filters } = search;
  const { data, error, refetch } = useQuery(jobListQuery({ ...filters, limit: 1 }));
  useEffect(() => {
    // Who has gone elsewhere meanwhile is not taken back.
    if (data && router.latestLocation.pathname === "/jobs")
      void navigate({ to: "/jobs", search: { ...search, area: bestArea(data.counts) }, replace: true });
  }, [data, navigate, router, search]);
  return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <ListSkeleton />;
}
