import { CloseOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Input } from "antd";
import { useWords } from "@/lib/i18n/language";
import { useForm } from "../form/context";
import { findBadVariable, type Variable } from "../form/variables";
import { words } from "../words";
import { Field } from "./Field";
import "./Rows.css";

/** Names and values, a row each. */
export function VariablesField() {
  const say = useWords(words);
  const { form, set, closed } = useForm();
  const bad = findBadVariable("variables", form.variables)?.place;
  const change = (place: number, patch: Partial<Variable>) =>
    set({ variables: form.variables.map((row, at) => (at === place ? { ...row, ...patch } : row)) });
  return (
    <Field name="variables" group wide>
      {(control) => (
        <div className="rows">
          {form.variables.map(({ name, value }, place) => (
            <div className="row" key={place}>
              <Input
                className="mono"
                aria-label={say("variableName", { n: place + 1 })}
                placeholder={say("variableNamePlaceholder")}
                // Of a name that the server does not like, the message says which it is.
                status={bad === undefined || bad === place ? control.status : undefined}
                aria-invalid={bad === place || undefined}
                aria-describedby={control["aria-describedby"]}
                readOnly={closed}
                value={name}
                spellCheck={false}
                onChange={(event) => change(place, { name: event.target.value })}
              />
              <Input
                className="mono"
                aria-label={say("variableValue", { n: place + 1 })}
                placeholder={say("variableValuePlaceholder")}
                readOnly={closed}
                value={value}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => change(place, { value: event.target.value })}
              />
              <Button
                type="text"
                icon={<CloseOutlined />}
                aria-label={say("removeVariable", { n: place + 1 })}
                onClick={() => set({ variables: form.variables.filter((_, at) => at !== place) })}
              />
            </div>
          ))}
          <Button
            type="dashed"
            icon={<PlusOutlined aria-hidden />}
            onClick={() => set({ variables: [...form.variables, { name: "", value: "" }] })}
          >
            {say("addVariable")}
          </Button>
        </div>
      )}
    </Field>
  );
}
