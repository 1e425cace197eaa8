import { useWords } from "@/lib/i18n/language";
import { LinkButton } from "@/ui/action/LinkButton";
import { NoSuch } from "@/ui/page/NoSuch";
import { words } from "@/ui/words";

export function NotFound() {
  const say = useWords(words);
  return (
    <NoSuch
      title={say("notFound")}
      hint={say("notFoundHint")}
      wayBack={<LinkButton to="/">{say("toOverview")}</LinkButton>}
    />
  );
}
