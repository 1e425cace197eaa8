import { useQuery } from "@tanstack/react-query";
import { Checkbox, Input, Select } from "antd";
import { nodesQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { Field } from "../fields/Field";
import { NodeChoices } from "../fields/NodeChoices";
import { useForm } from "../form/context";
import { words } from "../words";
import { countGpus } from "./gpus";

const AUTOMATIC = "";

/** Which nodes and which GPUs, for those who are particular about that. */
export function PlacementSection({ many }: { many: boolean }) {
  const say = useWords(words);
  const { form, set } = useForm();
  return (
    <div className="fields">
      <NodeField />
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
      {many && <NodeChoices />}
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
