import { Checkbox, Input } from "antd";
import { useWords } from "@/lib/i18n/language";
import { ArrayField } from "../fields/ArrayField";
import { Field } from "../fields/Field";
import { PredecessorField } from "../fields/PredecessorField";
import { RetryFields } from "../fields/RetryFields";
import { useForm } from "../form/context";
import { words } from "../words";

export function WhenSection() {
  const say = useWords(words);
  const { form, set } = useForm();
  return (
    <div className="fields">
      <Field name="urgent" group>
        {(control) => (
          <Checkbox
            id={control.id}
            checked={form.urgent}
            onChange={({ target }) => set({ urgent: target.checked })}
          >
            {say("urgentNote")}
          </Checkbox>
        )}
      </Field>
      <Field name="hold" group>
        {(control) => (
          <Checkbox
            id={control.id}
            checked={form.hold}
            onChange={({ target }) => set({ hold: target.checked })}
          >
            {say("holdNote")}
          </Checkbox>
        )}
      </Field>
      <Field name="restartable" group>
        {(control) => (
          <Checkbox
            id={control.id}
            checked={form.restartable}
            onChange={({ target }) => set({ restartable: target.checked })}
          >
            {say("restartableNote")}
          </Checkbox>
        )}
      </Field>
      <Field name="service" group>
        {(control) => (
          <Checkbox
            id={control.id}
            checked={form.service}
            onChange={({ target }) => set({ service: target.checked })}
          >
            {say("serviceNote")}
          </Checkbox>
        )}
      </Field>
      <PredecessorField />
      <Field name="time_limit_s" note={say("timeNote")}>
        {(control) => (
          <Input
            {...control}
            value={form.time_limit_s}
            placeholder={say("timePlaceholder")}
            onChange={(event) => set({ time_limit_s: event.target.value })}
          />
        )}
      </Field>
      <ArrayField />
      <RetryFields />
    </div>
  );
}
