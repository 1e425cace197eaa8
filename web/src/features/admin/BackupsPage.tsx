import { useWords } from "@/lib/i18n/language";
import { PageHeader } from "@/ui/page/PageHeader";
import { Command } from "@/ui/value/Command";
import { MakeBackup } from "./backups/MakeBackup";
import { TakenBackups } from "./backups/TakenBackups";
import { words } from "./backups/words";
import { Section } from "./Section";

const RESTORE = "danlu restore danlu.tar.gz --data /srv/danlu\ndanlu up --data /srv/danlu";
const EVERY_NIGHT = "0 3 * * * danlu backup --force /backup/danlu-$(date +\\%u).tar.gz";

export default function BackupsPage() {
  const say = useWords(words);
  return (
    <>
      <PageHeader title={say("backups")} />
      <div className="admin-sections">
        <MakeBackup />
        <TakenBackups />
        <Section title={say("restore")} hint={say("restoreHint")}>
          <Command text={RESTORE} />
        </Section>
        <Section title={say("automatic")} hint={say("automaticHint")}>
          <Command text={EVERY_NIGHT} />
        </Section>
      </div>
    </>
  );
}
