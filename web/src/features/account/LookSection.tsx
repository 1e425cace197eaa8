import { useQueryClient } from "@tanstack/react-query";
import { Segmented } from "antd";
import { chooseShade, type Shade, useShade } from "@/lib/dark";
import { chooseLanguage, useLanguage, useWords } from "@/lib/i18n/language";
import type { Language } from "@/lib/i18n/words";
import { Section } from "./Section";
import { words } from "./words";

export function LookSection() {
  const say = useWords(words);
  const client = useQueryClient();
  const language = useLanguage();
  const shade = useShade();

  function speak(chosen: Language) {
    chooseLanguage(chosen);
    // Sentences that come from the server are asked for again in the new language.
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
  }

  return (
    <Section title={say("look")} hint={say("lookHint")}>
      <div className="account-choice">
        <span id="account-language">{say("language")}</span>
        <Segmented<Language>
          aria-labelledby="account-language"
          value={language}
          onChange={speak}
          options={[
            { value: "en", label: say("english") },
            { value: "zh", label: say("chinese") },
          ]}
        />
        <span id="account-appearance">{say("appearance")}</span>
        <Segmented<Shade>
          aria-labelledby="account-appearance"
          value={shade}
          onChange={chooseShade}
          options={(["system", "light", "dark"] as const).map((each) => ({ value: each, label: say(each) }))}
        />
      </div>
    </Section>
  );
}
