import { Form, Input } from "antd";
import { useWords } from "@/lib/i18n/language";
import { clearable } from "@/ui/form/clearable";
import { words } from "./words";

/** Whether there is such an account, the server knows: it refuses at this field. */
export function AccountField({ problem }: { problem: string | null }) {
  const say = useWords(words);
  return (
    <Form.Item
      name="unix_account"
      label={say("account")}
      extra={say("accountHint")}
      normalize={(typed: string) => typed.trim()}
      {...(problem ? { validateStatus: "error", help: problem } : {})}
    >
      <Input
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        allowClear={clearable}
      />
    </Form.Item>
  );
}
