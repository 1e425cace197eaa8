import { Checkbox, Input, InputNumber } from "antd";
import { JOB_FIELDS } from "@/lib/jobFields";
import { PLAIN_NAMES } from "@/lib/plainFields";
import { useVocabulary } from "@/lib/vocabulary-words";
import { useForm } from "../form/context";
import type { FieldName, NameOf } from "../form/jobForm";
import type { SectionName } from "../form/sections";
import { type Control, Field } from "./Field";
import { PairsField } from "./PairsField";

/** The fields of a section that are shown by their kind alone, with their help below them. */
export function PlainFields({ section }: { section: SectionName }) {
  const vocabulary = useVocabulary();
  return PLAIN_NAMES.filter((name) => JOB_FIELDS[name].section === section).map((name) =>
    name === "tags" ? (
      <PairsField key={name} name={name} note={vocabulary(`help.${name}`)} />
    ) : (
      <Field key={name} name={name} note={vocabulary(`help.${name}`)}>
        {(control) => <PlainControl name={name} control={control} />}
      </Field>
    ),
  );
}

function PlainControl({ name, control }: { name: FieldName; control: Control }) {
  const { form, set } = useForm();
  const facts = JOB_FIELDS[name];
  switch (facts.kind) {
    case "count":
      return (
        <InputNumber
          {...control}
          mode="spinner"
          min={facts.minimum}
          max={facts.maximum}
          precision={0}
          value={form[name as NameOf<"count">]}
          onChange={(value) => set({ [name]: value })}
        />
      );
    case "switch":
      return (
        <Checkbox
          id={control.id}
          checked={form[name as NameOf<"switch">]}
          onChange={({ target }) => set({ [name]: target.checked })}
        />
      );
    default:
      return (
        <Input
          {...control}
          value={form[name as NameOf<"text">]}
          spellCheck={false}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      );
  }
}
