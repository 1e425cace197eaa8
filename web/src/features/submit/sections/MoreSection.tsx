import { Input } from "antd";
import { useWords } from "@/lib/i18n/language";
import { Field } from "../fields/Field";
import { PairsField } from "../fields/PairsField";
import { useForm } from "../form/context";
import { words } from "../words";

export function MoreSection() {
  const say = useWords(words);
  const { form, set } = useForm();
  return (
    <div className="fields">
      <PairsField name="variables" />
      <TextField name="stdout" placeholder={say("outputPlaceholder")} note={say("outputNote")} />
      <TextField name="stderr" placeholder={say("outputPlaceholder")} />
      <TextField name="grace_s" placeholder={say("gracePlaceholder")} note={say("graceNote")} />
      <TextField name="gpu_arg" placeholder="--gpus" note={say("gpuArgNote")} />
      <Field name="description" wide>
        {(control) => (
          <Input.TextArea
            {...control}
            autoSize={{ minRows: 2, maxRows: 8 }}
            value={form.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

interface TextFieldProps {
  name: "stdout" | "stderr" | "grace_s" | "gpu_arg";
  placeholder: string;
  note?: string;
}

function TextField({ name, placeholder, note }: TextFieldProps) {
  const { form, set } = useForm();
  return (
    <Field name={name} note={note}>
      {(control) => (
        <Input
          {...control}
          value={form[name]}
          placeholder={placeholder}
          spellCheck={false}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
}
