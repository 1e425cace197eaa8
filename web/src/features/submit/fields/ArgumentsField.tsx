import { CloseOutlined } from "@ant-design/icons";
import { Button, Input } from "antd";
import { useWords } from "@/lib/i18n/language";
import { useForm } from "../form/context";
import { words } from "../words";
import { Field } from "./Field";
import "./Rows.css";

/** What a script was given on the command line. A new job has it in its command. */
export function ArgumentsField() {
  const say = useWords(words);
  const { form, set, closed } = useForm();
  return (
    <Field name="arguments" group wide>
      {(control) => (
        <div className="rows">
          {form.arguments.map((value, place) => (
            <div className="row" key={place}>
              <Input
                className="mono"
                aria-label={say("argument", { n: place + 1 })}
                status={control.status}
                readOnly={closed}
                value={value}
                spellCheck={false}
                onChange={({ target }) =>
                  set({ arguments: form.arguments.map((each, at) => (at === place ? target.value : each)) })
                }
              />
              <Button
                type="text"
                icon={<CloseOutlined />}
                aria-label={say("removeArgument", { n: place + 1 })}
                onClick={() => set({ arguments: form.arguments.filter((_, at) => at !== place) })}
              />
            </div>
          ))}
        </div>
      )}
    </Field>
  );
}
