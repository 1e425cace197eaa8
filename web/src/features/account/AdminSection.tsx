import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Switch } from "antd";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { useAct } from "@/ui/useAct";
import { settingsQuery } from "./queries";
import { Section } from "./Section";
import { words } from "./words";

export function AdminSection() {
  const say = useWords(words);
  const client = useQueryClient();
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  const { busy, act } = useAct();

  async function open(members: boolean) {
    await act(
      async () => {
        const body = { server_log_for_members: members };
        client.setQueryData(keys.settings, await answer(api.PATCH("/api/v1/settings", { body })));
      },
      say(members ? "logOpened" : "logClosed"),
    );
  }

  return (
    <Section title={say("administration")}>
      {error && !settings ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : (
        <div className="account-switch">
          <Switch
            id="account-open-log"
            loading={busy || !settings}
            checked={settings?.server_log_for_members ?? false}
            onChange={(wanted) => void open(wanted)}
          />
          <div>
            <label htmlFor="account-open-log">{say("openLog")}</label>
            <div className="soft">{say("openLogHint")}</div>
          </div>
        </div>
      )}
    </Section>
  );
}
