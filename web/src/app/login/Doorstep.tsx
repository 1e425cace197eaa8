import type { ReactNode } from "react";
import { useWords } from "@/lib/i18n/language";
import { useTabTitle } from "@/ui/page/useTabTitle";
import { LanguageSwitch } from "../shell/LanguageSwitch";
import { Logo } from "../shell/Logo";
import { words } from "../words";
import "./Doorstep.css";

/** What is seen before the user is signed in. */
export function Doorstep({ title, children }: { title: string; children: ReactNode }) {
  const say = useWords(words);
  useTabTitle(title);
  return (
    <main className="doorstep">
      <div className="doorstep-card">
        <header className="doorstep-top">
          <Logo size={40} />
          <div className="doorstep-brand">
            <b>{say("danlu")}</b>
            <span className="soft">{say("motto")}</span>
          </div>
          <LanguageSwitch />
        </header>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
