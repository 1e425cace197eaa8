import { Button } from "antd";
import { useState } from "react";
import { answer, api } from "@/lib/api/client";
import type { LoginLink } from "@/lib/api/schema";
import { useNow } from "@/lib/clock";
import { formatAgo } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { Secret } from "@/ui/Secret";
import { useAct } from "@/ui/useAct";
import { Section } from "./Section";
import { words } from "./words";

export function LinkSection() {
  const say = useWords(words);
  const language = useLanguage();
  const now = useNow();
  const { busy, act } = useAct();
  const [link, setLink] = useState<LoginLink | null>(null);
  const alive = link && link.expires_at > now ? link : null;

  async function make() {
    await act(async () => setLink(await answer(api.POST("/api/v1/me/link"))));
  }

  return (
    <Section title={say("link")} hint={say("linkHint")}>
      {alive && (
        <div style={{ marginBottom: 16 }}>
          <Secret label={say("linkLabel")} value={alive.url} />
          <p className="account-secret-note soft number">
            {say("linkEnds", { when: formatAgo(alive.expires_at, now, language) })}
          </p>
        </div>
      )}
      <Button loading={busy} onClick={() => void make()}>
        {say(alive ? "makeAnotherLink" : "makeLink")}
      </Button>
    </Section>
  );
}
