import { useQuery } from "@tanstack/react-query";
import { serversQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { words } from "./words";

/** Who leads and who stands by; nothing where there is one server alone. */
export function Servers() {
  const say = useWords(words);
  const { data } = useQuery(serversQuery);
  if (!data || data.length < 2) return null;
  return (
    <div className="soft">
      {data.map(({ url, role }) => (
        <div key={url}>{say(role === "leader" ? "serverLeads" : "serverStandsBy", { url })}</div>
      ))}
    </div>
  );
}
