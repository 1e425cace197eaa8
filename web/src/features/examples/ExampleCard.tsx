import { CaretRightOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useMe } from "@/app/session";
import { answer, api } from "@/lib/api/client";
import { LONG_MS, within } from "@/lib/api/deadline";
import type { ExampleRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { maySubmit } from "@/lib/rights";
import { useAct } from "@/ui/action/useAct";
import { useAsks } from "./useAsks";
import { words } from "./words";

interface ExampleCardProps {
  example: ExampleRow;
  onStarted: (ids: number[]) => void;
}

/** An example in two sentences, what it asks for, and one button. */
export function ExampleCard({ example, onStarted }: ExampleCardProps) {
  const say = useWords(words);
  const submits = maySubmit(useMe());
  const asks = useAsks(example);
  const { busy, act } = useAct();
  const { key, title, text, steps } = example;

  async function start() {
    let ids: number[] = [];
    const begun = await act(async () => {
      ({ ids } = await answer(
        api.POST("/api/v1/examples/{key}/start", { params: { path: { key } }, fetch: within(LONG_MS) }),
      ));
    });
    if (begun) onStarted(ids);
  }

  return (
    <article className="example" aria-labelledby={`example-${key}`}>
      <h2 id={`example-${key}`}>{title}</h2>
      <p className="example-text">{text}</p>
      <ul className="example-asks" aria-label={say("asks")}>
        {asks.map((ask) => (
          <li key={ask}>{ask}</li>
        ))}
      </ul>
      <details className="example-script">
        <summary>{say("script")}</summary>
        {steps.map((step, place) => (
          <section
            key={place}
            className="code-block example-code"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard.
            tabIndex={0}
            aria-label={say("scriptOf", { n: place + 1 })}
          >
            <pre>{step.command}</pre>
          </section>
        ))}
      </details>
      {submits && (
        <Button
          type="primary"
          icon={<CaretRightOutlined aria-hidden />}
          loading={busy}
          aria-label={say("startNamed", { title })}
          onClick={() => void start()}
        >
          {say("start")}
        </Button>
      )}
    </article>
  );
}
