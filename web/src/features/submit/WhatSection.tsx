import { Checkbox, Input, InputNumber, Space } from "antd";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { CodeEditor } from "@/ui/CodeEditor";
import { useForm } from "./context";
import { EnvironmentField } from "./EnvironmentField";
import { Field } from "./Field";
import { FolderField } from "./FolderField";
import { useFreeGpus } from "./gpus";
import { words } from "./words";

/** What most jobs say, always open. */
export function WhatSection({ focus }: { focus: boolean }) {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const { form, set } = useForm();
  const isCall = form.call !== "";
  return (
    <section className="form-section form-section-plain">
      <h2>{say("what")}</h2>
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
              readOnly={isCall}
              autoFocus={focus}
            />
          )}
        </Field>
        <FolderField />
        <EnvironmentField />
        <GpuCount />
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
    </section>
  );
}

function GpuCount() {
  const say = useWords(words);
  const { form, set } = useForm();
  const { free, total } = useFreeGpus(form.node);
  const note =
    form.gpus === "auto"
      ? say("gpusAutoNote")
      : form.gpus || form.share || form.gpu_ids.length
        ? say(["", "1"].includes(form.nodes.trim()) ? "gpusSome" : "gpusEach", { free, total })
        : say("gpusNone");
  return (
    <Field name="gpus" note={note}>
      {(control) => (
        <Space>
          <InputNumber
            {...control}
            mode="spinner"
            min={0}
            max={10_000}
            precision={0}
            value={form.gpus === "auto" ? null : form.gpus}
            disabled={form.gpus === "auto"}
            placeholder="0"
            onChange={(gpus) => set({ gpus })}
          />
          <Checkbox
            checked={form.gpus === "auto"}
            onChange={({ target }) => set({ gpus: target.checked ? "auto" : null })}
          >
            {say("gpusAuto")}
          </Checkbox>
        </Space>
      )}
    </Field>
  );
}
