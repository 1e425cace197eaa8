import { useQuery } from "@tanstack/react-query";
import { Checkbox, Select } from "antd";
import { nodesQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useForm } from "../form/context";
import { words } from "../words";
import { Field } from "./Field";

/** Which of several nodes it may be. */
export function NodeChoices() {
  const say = useWords(words);
  const { form, set } = useForm();
  return (
    <>
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
