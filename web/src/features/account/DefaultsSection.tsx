import { useQuery, useQueryClient } from "@tanstack/react-query";
import { App, Button } from "antd";
import { answer, api } from "@/lib/api/client";
import { defaultsQuery, keys } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { useAct } from "@/ui/action/useAct";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { WithCode } from "@/ui/value/WithCode";
import { DefaultsForm } from "./DefaultsForm";
import { type Edit, type FieldName, isInForm, namesSet, showValue } from "./defaults";
import { Section } from "./Section";
import { words } from "./words";

export function DefaultsSection() {
  const say = useWords(words);
  const { data: defaults, error, refetch } = useQuery(defaultsQuery);
  const { modal } = App.useApp();
  const change = useDefaultsChange();
  const set = defaults ? namesSet(defaults) : [];

  function resetAll() {
    modal.confirm({
      title: say("resetAllQuestion", { count: set.length }),
      content: say("resetAllWarning"),
      okText: say("reset"),
      okButtonProps: { danger: true },
      onOk: () => change({ set: {}, clear: set }, say("allReset")),
    });
  }

  return (
    <Section
      title={say("defaults")}
      hint={say("defaultsHint")}
      action={
        set.length > 0 && (
          <Button type="text" onClick={resetAll}>
            {say("resetAll")}
          </Button>
        )
      }
    >
      {defaults ? (
        <>
          <DefaultsForm defaults={defaults} change={change} />
          <OtherDefaults names={set.filter((name) => !isInForm(name))} />
        </>
      ) : error ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : (
        <Loading lines={5} />
      )}
    </Section>
  );
}

/** Tells the server, and remembers what is set afterwards. */
export function useDefaultsChange(): (edit: Edit, done: string) => Promise<boolean> {
  const client = useQueryClient();
  const { act } = useAct();
  return (edit, done) =>
    act(async () => {
      client.setQueryData(keys.defaults, await answer(api.PATCH("/api/v1/me/defaults", { body: edit })));
    }, done);
}

/** What was set elsewhere: shown, and set back one by one. */
function OtherDefaults({ names }: { names: FieldName[] }) {
  const say = useWords(words);
  const word = useVocabulary();
  const { data: defaults } = useQuery(defaultsQuery);
  const change = useDefaultsChange();
  if (names.length === 0 || !defaults) return null;
  return (
    <div className="account-others">
      <h3>{say("alsoSet")}</h3>
      <p className="soft" style={{ margin: 0 }}>
        <WithCode text={say("alsoSetHint")} />
      </p>
      <ul>
        {names.map((name) => {
          const label = word(`label.${name}` as Parameters<typeof word>[0]);
          return (
            <li key={name}>
              <span>{label}</span>
              <code className="mono">{showValue(name, defaults[name], say("yes"), say("no"))}</code>
              <Button
                size="small"
                aria-label={say("resetOne", { name: label })}
                onClick={() => void change({ set: {}, clear: [name] }, say("wasReset", { name: label }))}
              >
                {say("reset")}
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
