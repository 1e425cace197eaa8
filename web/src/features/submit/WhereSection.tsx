import { useQuery } from "@tanstack/react-query";
import { Alert, Checkbox, Input, InputNumber, Radio, Select } from "antd";
import { nodesQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { useForm } from "./context";
import { Field } from "./Field";
import { countGpus } from "./gpus";
import { NodesFields } from "./NodesFields";
import { words } from "./words";

const AUTOMATIC = "";

export function WhereSection() {
  const say = useWords(words);
  const { form, set } = useForm();
  return (
    <div className="fields">
      <NodeField />
      <NodesFields />
      <GpuIdsField />
      <Field name="gpu_model" note={say("gpuModelNote")}>
        {(control) => (
          <Input
            {...control}
            value={form.gpu_model}
            placeholder={say("gpuIdsPlaceholder")}
            onChange={(event) => set({ gpu_model: event.target.value })}
          />
        )}
      </Field>
      <SharingField />
      {form.share && <Alert className="field-warning" type="warning" showIcon title={say("shareWarning")} />}
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
      <Field name="stage" note={say("stageNote")}>
        {(control) => (
          <Select
            {...control}
            mode="tags"
            open={false}
            suffixIcon={null}
            value={form.stage}
            placeholder={say("stagePlaceholder")}
            onChange={(stage: string[]) => set({ stage })}
          />
        )}
      </Field>
      <Field name="wait_for_hardware" group>
        {(control) => (
          <Checkbox
            id={control.id}
            checked={form.wait_for_hardware}
            onChange={(event) => set({ wait_for_hardware: event.target.checked })}
          >
            {say("waitForHardwareNote")}
          </Checkbox>
        )}
      </Field>
    </div>
  );
}

function NodeField() {
  const say = useWords(words);
  const { form, set } = useForm();
  const { data: nodes = [] } = useQuery(nodesQuery);
  const options = nodes.map((node) => ({
    value: node.name,
    label: say(node.state === "lost" ? "nodeLost" : "nodeOption", { name: node.name, ...countGpus([node]) }),
  }));
  // A node that has left the cluster stays visible in a job that names it.
  const missing = form.node && !nodes.some(({ name }) => name === form.node);
  return (
    <Field name="node">
      {(control) => (
        <Select
          {...control}
          value={form.node}
          options={[
            { value: AUTOMATIC, label: say("automatic") },
            ...options,
            ...(missing ? [{ value: form.node, label: form.node }] : []),
          ]}
          onChange={(node: string) => set({ node })}
        />
      )}
    </Field>
  );
}

function GpuIdsField() {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const { form, set } = useForm();
  const { data: nodes = [] } = useQuery(nodesQuery);
  const named = nodes.find(({ name }) => name === form.node);
  const known = (named ? [named] : nodes).flatMap(({ gpus }) => gpus.map(({ index }) => index));
  const indices = [...new Set([...known, ...form.gpu_ids])].sort((a, b) => a - b);
  return (
    <Field name="gpu_ids" note={say("gpuIdsNote")}>
      {(control) => (
        <Select
          {...control}
          mode="multiple"
          value={form.gpu_ids}
          placeholder={say("gpuIdsPlaceholder")}
          options={indices.map((index) => {
            const gpu = named?.gpus.find((each) => each.index === index);
            return {
              value: index,
              label: gpu ? `${index} · ${vocabulary(`gpu.${gpu.state}`)}` : String(index),
            };
          })}
          labelRender={({ value }) => value}
          onChange={(gpu_ids: number[]) => set({ gpu_ids: [...gpu_ids].sort((a, b) => a - b) })}
        />
      )}
    </Field>
  );
}

function SharingField() {
  const say = useWords(words);
  const { form, set } = useForm();
  const choices = [
    { value: "usual", title: say("sharingUsual"), note: say("sharingUsualNote") },
    { value: "share", title: say("sharingShare"), note: say("sharingShareNote") },
    { value: "alone", title: say("sharingAlone"), note: say("sharingAloneNote") },
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
