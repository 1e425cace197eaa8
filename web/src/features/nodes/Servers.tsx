import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Alert, Button } from "antd";
import { useMe } from "@/app/session";
import { api } from "@/lib/api/client";
import { keys, serversQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import { Ago } from "@/ui/value/Time";
import { words } from "./words";

/** Who leads, who stands by, and who is lost; nothing where there is one server alone. */
export function Servers() {
  const say = useWords(words);
  const { data } = useQuery(serversQuery);
  if (!data || data.length < 2) return null;
  const roles = data.map(({ role }) => role);
  return (
    <div className="soft">
      {roles.includes("lost") && !roles.includes("standby") && (
        <Alert
          type="warning"
          showIcon
          title={say("noStandbyLeft")}
          description={say("noStandbyLeftHint")}
          role="alert"
        />
      )}
      {data.map(({ url, role, since }) =>
        role === "lost" ? (
          <LostServer key={url} url={url} since={since} />
        ) : (
          <div key={url}>{say(role === "leader" ? "serverLeads" : "serverStandsBy", { url })}</div>
        ),
      )}
    </div>
  );
}

function LostServer({ url, since }: { url: string; since: number }) {
  const say = useWords(words);
  const client = useQueryClient();
  const { busy, act } = useAct();
  const mayForget = useMe().role === "admin";

  async function forget() {
    const params = { query: { url } };
    await act(() => api.DELETE("/api/v1/servers", { params }), say("serverForgotten", { url }));
    await client.invalidateQueries({ queryKey: keys.servers });
  }

  return (
    <div>
      {say("serverLost", { url })} <Ago at={since} />
      {mayForget && (
        <Button type="link" size="small" disabled={busy} onClick={() => void forget()}>
          {say("forgetServer")}
        </Button>
      )}
    </div>
  );
}
