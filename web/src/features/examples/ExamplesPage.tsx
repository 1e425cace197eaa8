import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMe } from "@/app/session";
import { answer, api } from "@/lib/api/client";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { maySubmit } from "@/lib/rights";
import { LinkButton } from "@/ui/action/LinkButton";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { PageHeader } from "@/ui/page/PageHeader";
import { ExampleCard } from "./ExampleCard";
import { StartedJobs } from "./StartedJobs";
import { words } from "./words";
import "@/ui/value/CodeBlock.css";
import "./Examples.css";

export default function ExamplesPage() {
  const say = useWords(words);
  const language = useLanguage();
  const navigate = useNavigate();
  const submits = maySubmit(useMe());
  const { started } = useSearch({ from: "/examples" });
  const {
    data: examples,
    error,
    refetch,
  } = useQuery({
    queryKey: ["examples", language],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/examples", { signal })),
  });
  const watch = (ids: number[]) =>
    void navigate({ to: "/examples", search: ids.length ? { started: ids.join(",") } : {} });
  return (
    <>
      <PageHeader title={say("title")} note={say(submits ? "note" : "noteOfViewer")} />
      {started && <StartedJobs key={started} refs={started.split(",")} onClose={() => watch([])} />}
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!examples && !error && <Loading />}
      {examples?.length === 0 && (
        <Nothing
          title={say("none")}
          hint={submits && say("noneHint")}
          action={
            submits && (
              <LinkButton color="primary" variant="solid" to="/jobs/new">
                {say("newJob")}
              </LinkButton>
            )
          }
        />
      )}
      <div className="examples">
        {examples?.map((example) => (
          <ExampleCard key={example.key} example={example} onStarted={watch} />
        ))}
      </div>
    </>
  );
}
