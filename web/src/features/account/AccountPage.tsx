import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/app/session";
import { defaultsQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { Loading } from "@/ui/Loading";
import { PageHeader } from "@/ui/PageHeader";
import { DefaultsSection } from "./DefaultsSection";
import { LinkSection } from "./LinkSection";
import { LookSection } from "./LookSection";
import { PasswordSection } from "./PasswordSection";
import { tokensQuery } from "./queries";
import { TokensSection } from "./TokensSection";
import { words } from "./words";
import "./account.css";

export default function AccountPage() {
  const say = useWords(words);
  const me = useMe();
  const role = useVocabulary()(`role.${me.role}`);
  const runsAs = me.runs_as
    ? say(me.runs_all_as_one ? "allRunAs" : "runsAs", { account: me.runs_as })
    : say("runsAsNobody");
  // Drawn at once: nothing is pushed down by what comes later above it.
  const isSettled = [useQuery(tokensQuery), useQuery(defaultsQuery)].every(({ isPending }) => !isPending);
  const signedIn = say("signedInAs", { name: me.name, role });
  return (
    <>
      <PageHeader title={say("title")} note={`${signedIn} · ${runsAs}`} />
      {isSettled ? (
        <div className="account">
          <div className="account-column">
            <TokensSection />
            <DefaultsSection />
          </div>
          <div className="account-column">
            <PasswordSection />
            <LinkSection />
            <LookSection />
          </div>
        </div>
      ) : (
        <Loading lines={9} />
      )}
    </>
  );
}
