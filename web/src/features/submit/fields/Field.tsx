import { UndoOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { type ReactNode, useId } from "react";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { useForm } from "../form/context";
import { type FieldName, isEmptyField, sameField } from "../form/jobForm";
import { words } from "../words";
import "./Field.css";

export interface Control {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
  status?: "error";
  /** While the form is being sent; what has the focus keeps it. */
  readOnly?: boolean;
}

interface FieldProps {
  /** The field, and those that are set together with it. */
  name: FieldName;
  also?: readonly FieldName[];
  label?: string;
  note?: ReactNode;
  wide?: boolean;
  /** Several controls under one label, or one that a label cannot point at. */
  group?: boolean;
  children: (control: Control, labelId: string) => ReactNode;
}

/** A field with its label, where its value comes from, and what is wrong with it. */
export function Field({ name, also = [], label, note, wide, group, children }: FieldProps) {
  const vocabulary = useVocabulary();
  const { problems, closed } = useForm();
  const id = useId();
  const problem = [name, ...also].map((each) => problems.get(each)).find(Boolean);
  const told = problem ?? note;
  const control: Control = {
    id: `${id}-control`,
    "aria-describedby": told ? `${id}-note` : undefined,
    "aria-invalid": problem ? true : undefined,
    status: problem ? "error" : undefined,
    readOnly: closed || undefined,
  };
  const text = label ?? vocabulary(`label.${name}` as Parameters<typeof vocabulary>[0]);
  const labelId = `${id}-label`;
  return (
    <div
      className={`field${wide ? " field-wide" : ""}`}
      data-field={name}
      {...(group ? { role: "group", "aria-labelledby": labelId } : {})}
    >
      <div className="field-head">
        {group ? (
          <span id={labelId} className="field-label">
            {text}
          </span>
        ) : (
          <label id={labelId} htmlFor={control.id} className="field-label">
            {text}
          </label>
        )}
        <Source names={[name, ...also]} label={text} />
      </div>
      {children(control, labelId)}
      <div
        id={`${id}-note`}
        className={problem ? "field-problem" : "field-note"}
        role={problem ? "alert" : undefined}
      >
        {told}
      </div>
    </div>
  );
}

/** Where the value comes from, and the way back to it. */
function Source({ names, label }: { names: FieldName[]; label: string }) {
  const say = useWords(words);
  const { form, base, origin, defaults, set } = useForm();
  const isSame = names.every((name) => sameField(form, base, name));
  const isOwn = !defaults || names.some((name) => !isEmptyField(defaults, name));
  if (isSame) {
    const isDefault = origin === "defaults" && names.some((name) => !isEmptyField(base, name));
    return isDefault ? (
      <span className="field-source">{say(isOwn ? "yourDefault" : "labDefault")}</span>
    ) : null;
  }
  if (origin === "defaults" && names.every((name) => isEmptyField(base, name))) return null;
  const back = say(origin === "job" ? "toOwn" : isOwn ? "toDefault" : "toLabDefault");
  return (
    <span className="field-source">
      {origin === "job" && say("changed")}
      <Button
        size="small"
        type="text"
        icon={<UndoOutlined />}
        title={back}
        aria-label={`${label}: ${back}`}
        onClick={() => set(Object.fromEntries(names.map((name) => [name, base[name]])))}
      />
    </span>
  );
}
