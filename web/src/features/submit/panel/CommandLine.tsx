import { useWords } from "@/lib/i18n/language";
import { CopyButton } from "@/ui/value/CopyButton";
import { words } from "../words";
import "@/ui/value/CodeBlock.css";
import "./CommandLine.css";

/** The command that does the same as the form. */
export function CommandLine({ text }: { text: string }) {
  const say = useWords(words);
  if (!text) return null;
  return (
    <section className="command-line" aria-label={say("commandLine")}>
      <div className="command-line-head">
        <span>{say("commandLine")}</span>
        <CopyButton size="small" text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard. */}
      <pre className="code-block" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}
