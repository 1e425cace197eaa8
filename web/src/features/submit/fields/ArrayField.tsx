import { Input } from "antd";
import { useWords } from "@/lib/i18n/language";
import { useForm } from "../form/context";
import { words } from "../words";
import { readArray } from "./arraySpec";
import { Field } from "./Field";

export function ArrayField() {
  const say = useWords(words);
  const { form, set } = useForm();
  const size = form.array ? readArray(form.array) : null;
  const tasks =
    size &&
    (size.atMost === null
      ? say("arrayElements", { total: size.total })
      : say("arrayElementsLimited", { total: size.total, most: size.atMost }));
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
