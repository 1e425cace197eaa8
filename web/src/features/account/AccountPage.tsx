import { useMe } from "@/app/session";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { PageHeader } from "@/ui/PageHeader";
import { DefaultsSection } from "./DefaultsSection";
import { LinkSection } from "./LinkSection";
import { LookSection } from "./LookSection";
import { PasswordSection } from "./PasswordSection";
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
  const signedIn = say("signedInAs", { name: me.name, role });
  return (
    <>
      <PageHeader title={say("title")} note={`${signedIn} · ${runsAs}`} />
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
    </>
  );
}
