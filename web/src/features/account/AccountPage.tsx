import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/app/session";
import { defaultsQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { maySubmit } from "@/lib/rights";
import { useVocabulary } from "@/lib/vocabulary-words";
import { Loading } from "@/ui/page/Loading";
import { PageHeader } from "@/ui/page/PageHeader";
import { DefaultsSection } from "./DefaultsSection";
import { LinkSection } from "./LinkSection";
import { LookSection } from "./LookSection";
import { NotificationsSection } from "./NotificationsSection";
import { PasswordSection } from "./PasswordSection";
import { tokensQuery } from "./queries";
import { Section } from "./Section";
import { TokensSection } from "./TokensSection";
import { words } from "./words";
import "./account.css";

export default function AccountPage() {
  const say = useWords(words);
  const me = useMe();
  const submits = maySubmit(me);
  const role = useVocabulary()(`role.${me.role}`);
  const runsAs = me.runs_as
    ? say(me.runs_all_as_one ? "allRunAs" : "runsAs", { account: me.runs_as })
    : say("runsAsNoAccount");
  // Drawn at once: nothing is pushed down by what comes later above it.
  const tokens = useQuery(tokensQuery);
  const defaults = useQuery({ ...defaultsQuery, enabled: submits });
  const isSettled = !tokens.isPending && !(submits && defaults.isPending);
  const signedIn = say("signedInAs", { name: me.name, role });
  return (
    <>
      <PageHeader title={say("title")} note={`${signedIn} · ${runsAs}`} />
      {isSettled ? (
        <div className="account">
          <div className="account-column">
            <TokensSection />
            {submits ? (
              <DefaultsSection />
            ) : (
              <Section title={say("defaults")}>{say("defaultsOfViewer")}</Section>
            )}
          </div>
          <div className="account-column">
            <PasswordSection />
            <LinkSection />
            <NotificationsSection />
            <LookSection />
          </div>
        </div>
      ) : (
        <Loading lines={9} />
      )}
    </>
  );
}
