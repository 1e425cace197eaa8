import { CloseOutlined } from "@ant-design/icons";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { App, Button, Select, Tooltip } from "antd";
import { useState } from "react";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { JobDetail, JobRow, JobState } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useEnd } from "@/lib/jobEnd";
import { useVocabulary } from "@/lib/vocabulary-words";
import { useAct } from "@/ui/action/useAct";
import { StateTag } from "@/ui/job/StateTag";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { Lasting } from "@/ui/value/Time";
import { actionsFor } from "../actions/actions";
import { OnNodes } from "../OnNodes";
import { Panel } from "../Panel";
import { useJobName } from "../useJobName";
import { words } from "../words";
import { ArrayProgress } from "./ArrayProgress";

const PAGE = 50;
const STATES: readonly JobState[] = ["waiting", "held", "running", "succeeded", "failed", "cancelled"];

/** The elements of an array, a page at a time. */
export function ArrayElements({ detail, mayAct }: { detail: JobDetail; mayAct: boolean }) {
  const say = useWords(words);
  const name = useVocabulary();
  const { ref, array } = detail.job;
  const [state, setState] = useState<JobState | undefined>();
  /** Where the pages before this one begin, and this one last. */
  const [starts, setStarts] = useState<readonly number[]>([0]);
  const start = starts.at(-1) ?? 0;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [...keys.jobElements(ref), state ?? "", start],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/v1/jobs/{job_id}/elements", {
          params: { path: { job_id: ref }, query: { state, start, limit: PAGE } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel
      title={say("elements")}
      extra={
        <Select<JobState | "">
          className="job-tasks-filter"
          value={state ?? ""}
          aria-label={say("filterState")}
          onChange={(chosen) => {
            setState(chosen || undefined);
            setStarts([0]);
          }}
          options={[
            { value: "", label: say("allStates") },
            ...STATES.map((each) => ({ value: each, label: name(`state.${each}`) })),
          ]}
        />
      }
    >
      {array && <ArrayProgress array={array} />}
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading lines={9} />}
      {data && data.elements.length === 0 && (
        <Nothing title={say("noElements")} hint={say("noElementsHint")} />
      )}
      {data && data.elements.length > 0 && <ElementTable elements={data.elements} mayAct={mayAct} />}
      {data && (starts.length > 1 || data.next !== null) && (
        <div className="job-tasks-pages">
          <Button disabled={starts.length < 2} onClick={() => setStarts(starts.slice(0, -1))}>
            {say("previous")}
          </Button>
          <Button
            disabled={data.next === null || isPlaceholderData}
            onClick={() => data.next !== null && setStarts([...starts, data.next])}
          >
            {say("next")}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function ElementTable({ elements, mayAct }: { elements: readonly JobRow[]; mayAct: boolean }) {
  const say = useWords(words);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="job-tasks-scroll" aria-label={say("elements")} tabIndex={0}>
      <table className="job-tasks">
        <thead>
          <tr>
            <th scope="col">{say("index")}</th>
            <th scope="col">{say("stateColumn")}</th>
            <th scope="col" className="job-tasks-where">
              {say("where")}
            </th>
            <th scope="col">{say("duration")}</th>
            <th scope="col">{say("end")}</th>
            {mayAct && (
              <th scope="col">
                <span className="only-heard">{say("actions")}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {elements.map((element) => (
            <ElementRow key={element.ref} element={element} mayAct={mayAct} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ElementRow({ element, mayAct }: { element: JobRow; mayAct: boolean }) {
  const sayEnd = useEnd();
  const isPlaced = element.area !== "waiting" && element.node;
  return (
    <tr>
      <td className="number">
        <Link to="/jobs/$ref" params={{ ref: element.ref }}>
          {element.ref}
        </Link>
      </td>
      <td>
        <StateTag state={element.state} unreachable={element.unreachable_since != null} />
      </td>
      <td className="job-tasks-where">
        {isPlaced ? <OnNodes job={element} most={3} /> : <span className="soft">–</span>}
      </td>
      <td>
        <Lasting from={element.started_at} to={element.ended_at} />
      </td>
      <td>
        {sayEnd(element.end_reason ?? null, element.exit_code ?? null, element.signal ?? null) ?? (
          <span className="soft">–</span>
        )}
      </td>
      {mayAct && (
        <td className="job-tasks-act">
          {actionsFor(element).includes("cancel") && <CancelElement element={element} />}
        </td>
      )}
    </tr>
  );
}

function CancelElement({ element }: { element: JobRow }) {
  const say = useWords(words);
  const { modal } = App.useApp();
  const { busy, act } = useAct();
  const name = useJobName(element);
  const label = say("cancelElement", { ref: element.ref });
  return (
    <Tooltip title={label}>
      <Button
        type="text"
        size="small"
        icon={<CloseOutlined />}
        aria-label={label}
        loading={busy}
        onClick={() =>
          void modal.confirm({
            title: say("cancelTitle", { job: name.inside }),
            okText: label,
            okButtonProps: { danger: true },
            cancelText: say("keep"),
            onOk: () =>
              act(() =>
                api.POST("/api/v1/jobs/{job_id}/cancel", { params: { path: { job_id: element.ref } } }),
              ),
          })
        }
      />
    </Tooltip>
  );
}
