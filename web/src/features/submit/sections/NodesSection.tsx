import { Input, Select } from "antd";
import type { Launcher } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { Field } from "../fields/Field";
import { useForm } from "../form/context";
import { words } from "../words";

const LAUNCHERS: readonly Launcher[] = ["plain", "torchrun", "tensorflow", "jax", "mpi", "ray"];
/** With these, the command runs on the first node and reaches the others from there. */
const FROM_THE_FIRST: readonly string[] = ["mpi", "ray"];

/** A job on several nodes at once: how many, and how its tasks find each other. */
export function NodesSection() {
  const say = useWords(words);
  const { form, set } = useForm();
  return (
    <div className="fields">
      <Field name="nodes" note={say("nodesNote")}>
        {(control) => (
          <Input
            {...control}
            value={form.nodes}
            placeholder="1"
            onChange={(event) => set({ nodes: event.target.value })}
          />
        )}
      </Field>
      <Field
        name="launcher"
        note={say(FROM_THE_FIRST.includes(form.launcher) ? "launcherFirstNote" : "launcherNote")}
      >
        {(control) => (
          <Select
            {...control}
            value={form.launcher || "plain"}
            options={LAUNCHERS.map((value) => ({ value, label: say(`launcher_${value}`) }))}
            onChange={(launcher: Launcher) => set({ launcher })}
          />
        )}
      </Field>
    </div>
  );
}
