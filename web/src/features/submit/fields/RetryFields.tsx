import { Input, InputNumber, Select } from "antd";
import type { EndReason } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { useForm } from "../form/context";
import { words } from "../words";
import { Field } from "./Field";

/** Those that a retry can mend; which of them it may be is for the server to say. */
const REASONS: EndReason[] = [
  "exit_code",
  "signal",
  "out_of_memory",
  "time_limit",
  "node_lost",
  "node_rebooted",
  "gpu_fault",
  "vanished",
  "launch_failed",
  "output_unwritable",
  "directory_missing",
  "environment_missing",
  "stage_missing",
  "stage_forbidden",
  "stage_full",
  "stage_failed",
  "command_unrunnable",
  "no_account",
];

/** How often it is tried again; why and how fast, once that is more than never. */
export function RetryFields() {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const { form, set, problems } = useForm();
  const shown = Boolean(form.retries) || problems.has("retry_on") || problems.has("retry_backoff_s");
  return (
    <>
      <Field name="retries">
        {(control) => (
          <InputNumber
            {...control}
            mode="spinner"
            min={0}
            max={1000}
            precision={0}
            value={form.retries}
            placeholder="0"
            onChange={(retries) => set({ retries })}
          />
        )}
      </Field>
      {shown && (
        <>
          <Field name="retry_backoff_s">
            {(control) => (
              <Input
                {...control}
                value={form.retry_backoff_s}
                placeholder="10s"
                onChange={(event) => set({ retry_backoff_s: event.target.value })}
              />
            )}
          </Field>
          <Field name="retry_on" wide>
            {(control) => (
              <Select
                {...control}
                mode="multiple"
                allowClear
                value={form.retry_on ?? []}
                placeholder={say("retryReasonsUsual")}
                options={REASONS.map((reason) => ({ value: reason, label: vocabulary(`end.${reason}`) }))}
                onChange={(reasons: EndReason[]) => set({ retry_on: reasons.length ? reasons : null })}
              />
            )}
          </Field>
        </>
      )}
    </>
  );
}
