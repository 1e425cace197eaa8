import { useQuery } from "@tanstack/react-query";
import { Checkbox, Input, Select } from "antd";
import { nodesQuery } from "@/lib/api/queries";
import type { Launcher } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useForm } from "./context";
import { Field } from "./Field";
import { isOfManyNodes } from "./jobForm";
import { words } from "./words";

const LAUNCHERS: readonly Launcher[] = ["plain", "torchrun", "tensorflow", "jax", "mpi", "ray"];
/** With these, the command runs on the first node and reaches the others from there. */
const FROM_THE_FIRST: readonly string[] = ["mpi", "ray"];

/** What only matters where there are several nodes; it stays out of the way where there is one. */
export function NodesFields() {
  const say = useWords(words);
  const { form, base, set } = useForm();
  const { data: nodes = [] } = useQuery(nodesQuery);
  if (nodes.length < 2 && !isOfManyNodes(form) && !isOfManyNodes(base)) return null;
  return (
    <>
      <Field name="nodes" note={say("nodesNote")}>
        {(control) => (
          <Input
            {...control}
            value={form.nodes}
            placeholder="1"
            onChange={(event) => set({ nodes: event.target.value })}
          />
        )}
      </Field>
      <Field
        name="launcher"
        note={say(FROM_THE_FIRST.includes(form.launcher) ? "launcherFirstNote" : "launcherNote")}
      >
        {(control) => (
          <Select
            {...control}
            value={form.launcher || "plain"}
            options={LAUNCHERS.map((value) => ({ value, label: say(`launcher_${value}`) }))}
            onChange={(launcher: Launcher) => set({ launcher })}
          />
        )}
      </Field>
      <NamesField name="only_nodes" placeholder={say("onlyNodesPlaceholder")} />
      <NamesField name="exclude_nodes" placeholder={say("excludeNodesPlaceholder")} />
      <Field name="spread" group>
        {(control) => (
          <Checkbox
            id={control.id}
            checked={form.spread}
            onChange={({ target }) => set({ spread: target.checked })}
          >
            {say("spreadNote")}
          </Checkbox>
        )}
      </Field>
    </>
  );
}

interface NamesFieldProps {
  name: "only_nodes" | "exclude_nodes";
  placeholder: string;
}

function NamesField({ name, placeholder }: NamesFieldProps) {
  const { form, set } = useForm();
  const { data: nodes = [] } = useQuery(nodesQuery);
  const names = [...new Set([...nodes.map((node) => node.name), ...form[name]])].sort();
  return (
    <Field name={name}>
      {(control) => (
        <Select
          {...control}
          mode="multiple"
          value={form[name]}
          placeholder={placeholder}
          options={names.map((value) => ({ value, label: value }))}
          onChange={(chosen: string[]) => set({ [name]: [...chosen].sort() })}
        />
      )}
    </Field>
  );
}
