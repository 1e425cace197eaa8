import { Switch } from "antd";
import { useId } from "react";
import { useWords } from "@/lib/i18n/language";
import { chooseTold, useTold } from "@/lib/notify/choice";
import { words } from "@/lib/notify/words";
import { Section } from "./Section";

/** Whether this browser tells when a job ends; and plainly, if it cannot. */
export function NotificationsSection() {
  const say = useWords(words);
  const { told, ability } = useTold();
  const label = useId();
  const isOpen = told || ability !== "ask";
  return (
    <Section title={say("title")} hint={say("hint")}>
      <div className="account-switch">
        <Switch checked={told} onChange={(wish) => void chooseTold(wish)} aria-labelledby={label} />
        <span id={label}>{say("switch")}</span>
      </div>
      {isOpen && (
        <p className="soft account-section-hint" role="status">
          {say(ability)}
        </p>
      )}
    </Section>
  );
}
