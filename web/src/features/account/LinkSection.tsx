import { Button } from "antd";
import { useState } from "react";
import { answer, api } from "@/lib/api/client";
import type { LoginLink } from "@/lib/api/schema";
import { useNow } from "@/lib/clock";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import { LinkElsewhere } from "./LinkElsewhere";
import { Section } from "./Section";
import { words } from "./words";

export function LinkSection() {
  const say = useWords(words);
  const now = useNow();
  const { busy, act } = useAct();
  const [link, setLink] = useState<LoginLink | null>(null);
  const alive = link && link.expires_at > now ? link : null;

  async function make() {
    await act(async () => setLink(await answer(api.POST("/api/v1/me/link"))));
  }

  return (
    <Section title={say("link")} hint={say("linkHint")}>
      {alive ? (
        <LinkElsewhere key={alive.url} link={alive} left={alive.expires_at - now} />
      ) : (
        link && <p className="soft">{say("linkEnded")}</p>
      )}
      <Button loading={busy} onClick={() => void make()}>
        {say(alive ? "makeAnotherLink" : "makeLink")}
      </Button>
    </Section>
  );
}
