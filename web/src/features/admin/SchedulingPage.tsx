import { PauseCircleOutlined, PlayCircleOutlined } from "@ant-design/icons";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { App, Button, Radio } from "antd";
import { answer, api } from "@/lib/api/client";
import { LONG_MS, within } from "@/lib/api/deadline";
import { keys, schedulingQuery, statusQuery } from "@/lib/api/queries";
import type { Scheduling, SchedulingEdit } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { usePausing } from "@/ui/action/usePausing";
import { Mark } from "@/ui/look/Mark";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { PageHeader } from "@/ui/page/PageHeader";
import { Ago } from "@/ui/value/Time";
import { words as sharedWords } from "@/ui/words";
import { Section } from "./Section";
import { useAttempt } from "./useAttempt";
import { policies, words } from "./words";

export default function SchedulingPage() {
  const say = useWords(words);
  const { data, error, refetch } = useQuery(schedulingQuery);
  return (
    <>
      <PageHeader title={say("scheduling")} />
      {data ? (
        <div className="admin-sections">
          <State scheduling={data} />
          <PolicyChoice scheduling={data} />
          <Section title={say("slots")} hint={say("slotsHint")}>
            <Link to="/nodes">{say("toNodes")}</Link>
          </Section>
        </div>
      ) : error ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : (
        <Loading lines={8} />
      )}
    </>
  );
}

/** Changes the scheduling; its answer is on the page at once, what follows from it comes by the stream. */
function useScheduling() {
  const client = useQueryClient();
  const { message } = App.useApp();
  const { busy, error, attempt } = useAttempt();
  const { data: status } = useQuery(statusQuery);
  async function carryOut(doing: () => Promise<unknown>, done: string) {
    if (await attempt(doing)) void message.success(done);
  }
  async function change(body: SchedulingEdit) {
    client.setQueryData(keys.scheduling, await answer(api.PATCH("/api/v1/scheduling", { body })));
  }
  return { busy, error, attempt, carryOut, change, waiting: status?.waiting ?? 0 };
}

function State({ scheduling: { paused, paused_at, paused_by } }: { scheduling: Scheduling }) {
  const say = useWords(words);
  const sayShared = useWords(sharedWords);
  const { message } = App.useApp();
  const { busy, error, attempt, carryOut } = useScheduling();
  const { pause, resume } = usePausing(carryOut);

  async function runPass() {
    let said = "";
    const worked = await attempt(async () => {
      const { started, waiting } = await answer(
        api.POST("/api/v1/scheduling/pass", { fetch: within(LONG_MS) }),
      );
      said = say("passed", { started, waiting });
    });
    if (worked) void message.success(said);
  }

  return (
    <Section title={say("state")}>
      <p className="admin-state">
        <Mark tone={paused ? "foreign" : "free"}>{say(paused ? "paused" : "runs")}</Mark>
        {paused && paused_by && (
          <span className="soft">
            {say("pausedBy", { name: paused_by })} · <Ago at={paused_at} />
          </span>
        )}
      </p>
      <p className="admin-hint soft">{say(paused ? "pausedHint" : "runsHint")}</p>
      {error !== null && <ErrorNotice error={error} />}
      <div className="admin-buttons">
        {paused ? (
          <Button type="primary" icon={<PlayCircleOutlined />} loading={busy} onClick={resume}>
            {sayShared("resumeScheduling")}
          </Button>
        ) : (
          <>
            <Button icon={<PauseCircleOutlined />} loading={busy} onClick={pause}>
              {sayShared("pauseScheduling")}
            </Button>
            <Button disabled={busy} onClick={() => void runPass()}>
              {say("pass")}
            </Button>
          </>
        )}
      </div>
      {!paused && <p className="admin-hint admin-below soft">{say("passHint")}</p>}
    </Section>
  );
}

function PolicyChoice({ scheduling }: { scheduling: Scheduling }) {
  const say = useWords(words);
  const { modal } = App.useApp();
  const { busy, error, carryOut, change, waiting } = useScheduling();

  function choose(policy: Scheduling["policy"]) {
    modal.confirm({
      title: say("policyQuestion", { policy: say(policy) }),
      content: say("policyWarning", { waiting }),
      okText: say("changePolicy"),
      cancelText: say("cancel"),
      onOk: () => carryOut(() => change({ policy }), say("policyChanged", { policy: say(policy) })),
    });
  }

  return (
    <Section title={say("policy")} hint={say("policyHint")}>
      <Radio.Group
        className="admin-policies"
        aria-label={say("policy")}
        value={scheduling.policy}
        disabled={busy}
        onChange={({ target }) => choose(target.value)}
      >
        {policies.map((policy) => (
          <Radio key={policy} value={policy}>
            <b>{say(policy)}</b> <code className="soft">{policy}</code>
            <span className="admin-policy-hint soft">{say(`${policy}Hint`)}</span>
          </Radio>
        ))}
      </Radio.Group>
      {error !== null && <ErrorNotice error={error} />}
    </Section>
  );
}
