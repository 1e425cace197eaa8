import { Input } from "antd";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { CodeEditor } from "@/ui/code/CodeEditor";
import { ArgumentsField } from "../fields/ArgumentsField";
import { EnvironmentField } from "../fields/EnvironmentField";
import { Field } from "../fields/Field";
import { FolderField } from "../fields/FolderField";
import { useForm } from "../form/context";
import { words } from "../words";

/** What is run, where its files are, and what it is called. */
export function WhatSection({ focus }: { focus: boolean }) {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const { form, base, set, closed } = useForm();
  const isCall = form.call !== "";
  return (
    <div className="fields">
      <Field name="command" wide group note={say(isCall ? "commandOfCall" : "commandNote")}>
        {(control) => (
          <CodeEditor
            value={form.command}
            onChange={(command) => set({ command })}
            label={vocabulary("label.command")}
            placeholder={say("commandPlaceholder")}
            describedBy={control["aria-describedby"]}
            invalid={control["aria-invalid"]}
            readOnly={isCall || closed}
            autoFocus={focus}
          />
        )}
      </Field>
      {(form.arguments.length > 0 || base.arguments.length > 0) && <ArgumentsField />}
      <FolderField />
      <EnvironmentField />
      <Field name="name">
        {(control) => (
          <Input
            {...control}
            value={form.name}
            placeholder={say("namePlaceholder")}
            maxLength={200}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}
