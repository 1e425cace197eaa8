import { Input } from "antd";
import { useWords } from "@/lib/i18n/language";
import { readArray } from "./arraySpec";
import { useForm } from "./context";
import { Field } from "./Field";
import { words } from "./words";

export function ArrayField() {
  const say = useWords(words);
  const { form, set } = useForm();
  const size = form.array ? readArray(form.array) : null;
  const tasks =
    size &&
    (size.atMost === null
      ? say("arrayTasks", { total: size.total })
      : say("arrayTasksLimited", { total: size.total, most: size.atMost }));
  return (
    <Field name="array" note={tasks ? <b className="number">{tasks}</b> : say("arrayNote")}>
      {(control) => (
        <Input
          {...control}
          value={form.array}
          placeholder={say("arrayPlaceholder")}
          onChange={(event) => set({ array: event.target.value })}
        />
      )}
    </Field>
  );
}
