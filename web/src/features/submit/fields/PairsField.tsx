import { CloseOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Input } from "antd";
import { useWords } from "@/lib/i18n/language";
import { useForm } from "../form/context";
import { findBadVariable, type PairsName, type Variable } from "../form/variables";
import { words } from "../words";
import { Field } from "./Field";
import "./Rows.css";

const WORDS = {
  variables: {
    name: "variableName",
    value: "variableValue",
    namePlaceholder: "variableNamePlaceholder",
    valuePlaceholder: "variableValuePlaceholder",
    add: "addVariable",
    remove: "removeVariable",
  },
  tags: {
    name: "tagName",
    value: "tagValue",
    namePlaceholder: "tagNamePlaceholder",
    valuePlaceholder: "tagValuePlaceholder",
    add: "addTag",
    remove: "removeTag",
  },
} as const;

/** Names and values, a row each. */
export function PairsField({ name: field, note }: { name: PairsName; note?: string }) {
  const words_ = WORDS[field];
  const say = useWords(words);
  const { form, set, closed } = useForm();
  const rows = form[field];
  const bad = findBadVariable(field, rows)?.place;
  const change = (place: number, patch: Partial<Variable>) =>
    set({ [field]: rows.map((row, at) => (at === place ? { ...row, ...patch } : row)) });
  return (
    <Field name={field} note={note} group wide>
      {(control) => (
        <div className="rows">
          {rows.map(({ name, value }, place) => (
            <div className="row" key={place}>
              <Input
                className="mono"
                aria-label={say(words_.name, { n: place + 1 })}
                placeholder={say(words_.namePlaceholder)}
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
                aria-label={say(words_.value, { n: place + 1 })}
                placeholder={say(words_.valuePlaceholder)}
                readOnly={closed}
                value={value}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => change(place, { value: event.target.value })}
              />
              <Button
                type="text"
                icon={<CloseOutlined />}
                aria-label={say(words_.remove, { n: place + 1 })}
                onClick={() => set({ [field]: rows.filter((_, at) => at !== place) })}
              />
            </div>
          ))}
          <Button
            type="dashed"
            icon={<PlusOutlined aria-hidden />}
            onClick={() => set({ [field]: [...rows, { name: "", value: "" }] })}
          >
            {say(words_.add)}
          </Button>
        </div>
      )}
    </Field>
  );
}
