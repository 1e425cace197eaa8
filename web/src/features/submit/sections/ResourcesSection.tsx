import { Alert, Checkbox, Input, InputNumber, Radio, Space } from "antd";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { Field } from "../fields/Field";
import { useForm } from "../form/context";
import { words } from "../words";
import { useFreeGpus } from "./gpus";

/** What the job takes on each of its nodes. */
export function ResourcesSection() {
  const say = useWords(words);
  const { form, set } = useForm();
  return (
    <div className="fields">
      <GpuCount />
      <Field name="gpu_memory_mb" note={form.share && say("shareWarningHint")}>
        {(control) => (
          <Input
            {...control}
            value={form.gpu_memory_mb}
            placeholder={say(form.share ? "gpuMemoryShared" : "gpuMemoryAny")}
            onChange={(event) => set({ gpu_memory_mb: event.target.value })}
          />
        )}
      </Field>
      <SharingField />
      {form.share && <Alert className="field-warning" type="warning" showIcon title={say("shareWarning")} />}
      <Field name="cpus">
        {(control) => (
          <InputNumber
            {...control}
            mode="spinner"
            min={0}
            max={10_000}
            precision={0}
            value={form.cpus}
            placeholder={say("anySize")}
            onChange={(cpus) => set({ cpus })}
          />
        )}
      </Field>
      <Field name="memory_mb">
        {(control) => (
          <Input
            {...control}
            value={form.memory_mb}
            placeholder={say("anySize")}
            onChange={(event) => set({ memory_mb: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

function GpuCount() {
  const say = useWords(words);
  const { form, base, set } = useForm();
  const { free, total } = useFreeGpus(form.node);
  const note =
    form.gpus === "auto"
      ? say("gpusAutoNote")
      : form.gpus || form.share || form.gpu_ids.length
        ? say(["", "1"].includes(form.nodes.trim()) ? "gpusSome" : "gpusEach", { free, total })
        : say(form.gpus === 0 ? "gpusNone" : "gpusUnsaid");
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
            onChange={(gpus) => set({ gpus })}
          />
          <Checkbox
            checked={form.gpus === "auto"}
            onChange={({ target }) =>
              set({ gpus: target.checked ? "auto" : base.gpus === "auto" ? null : base.gpus })
            }
          >
            {say("gpusAuto")}
          </Checkbox>
        </Space>
      )}
    </Field>
  );
}

function SharingField() {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const { form, set } = useForm();
  const choices = [
    { value: "usual", title: say("sharingUsual"), note: say("sharingUsualNote") },
    { value: "share", title: vocabulary("forms.label.share"), note: say("sharingShareNote") },
    { value: "alone", title: vocabulary("forms.label.no_sharing"), note: say("sharingAloneNote") },
  ];
  return (
    <Field name="share" also={["no_sharing"]} label={say("sharing")} group wide>
      {(_control, labelId) => (
        <Radio.Group
          className="choices"
          aria-labelledby={labelId}
          value={form.share ? "share" : form.no_sharing ? "alone" : "usual"}
          onChange={({ target }) =>
            set({ share: target.value === "share", no_sharing: target.value === "alone" })
          }
        >
          {choices.map(({ value, title, note }) => (
            <Radio key={value} value={value}>
              <b>{title}</b>
              <small>{note}</small>
            </Radio>
          ))}
        </Radio.Group>
      )}
    </Field>
  );
}
