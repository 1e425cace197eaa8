import { useQuery, useQueryClient } from "@tanstack/react-query";
import { InputNumber, Switch } from "antd";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { SettingsEdit } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { useAct } from "@/ui/useAct";
import { settingsQuery } from "./queries";
import { Section } from "./Section";
import { words } from "./words";

const LONGEST_DAYS = 36_500;

export function AdminSection() {
  const say = useWords(words);
  const client = useQueryClient();
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  const { busy, act } = useAct();

  async function edit(body: SettingsEdit, done: string) {
    await act(async () => {
      client.setQueryData(keys.settings, await answer(api.PATCH("/api/v1/settings", { body })));
    }, done);
  }

  function keep(typed: string) {
    const days = Number(typed);
    if (!settings || typed.trim() === "" || !Number.isInteger(days) || days === settings.events_days) return;
    void edit({ events_days: days }, say("eventsKept"));
  }

  return (
    <Section title={say("administration")}>
      {error && !settings ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : (
        <>
          <div className="account-switch">
            <Switch
              id="account-open-log"
              loading={busy || !settings}
              checked={settings?.server_log_for_members ?? false}
              onChange={(wanted) =>
                void edit({ server_log_for_members: wanted }, say(wanted ? "logOpened" : "logClosed"))
              }
            />
            <div>
              <label htmlFor="account-open-log">{say("openLog")}</label>
              <div className="soft">{say("openLogHint")}</div>
            </div>
          </div>
          <div className="account-switch">
            <InputNumber
              id="account-events-days"
              key={settings?.events_days}
              min={0}
              max={LONGEST_DAYS}
              precision={0}
              disabled={busy || !settings}
              defaultValue={settings?.events_days}
              onBlur={(event) => keep(event.target.value)}
              onPressEnter={(event) => keep(event.currentTarget.value)}
            />
            <div>
              <label htmlFor="account-events-days">{say("eventsDays")}</label>
              <div className="soft">{say("eventsDaysHint")}</div>
            </div>
          </div>
        </>
      )}
    </Section>
  );
}
