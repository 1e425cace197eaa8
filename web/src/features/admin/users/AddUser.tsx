import { Form, Input, Modal } from "antd";
import { useState } from "react";
import { ApiError, api } from "@/lib/api/client";
import type { UserRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { useAttempt } from "../useAttempt";
import { AccountField } from "./AccountField";
import { makeFirstPassword } from "./firstPassword";
import { problemOfName } from "./guards";
import { HandOver } from "./HandOver";
import { RoleField } from "./RoleField";
import { words } from "./words";

const NOT_SAID = { full_name: "", student_id: "", email: "" };

interface Typed {
  name: string;
  role: UserRow["role"];
  unix_account: string;
}

/** Who it is first; then their first password, once. */
export function AddUser({ taken, onDone }: { taken: readonly string[]; onDone: () => void }) {
  const say = useWords(words);
  const [form] = Form.useForm<Typed>();
  const { busy, error, attempt, forget } = useAttempt();
  const [made, setMade] = useState<{ name: string; password: string } | null>(null);
  const atAccount = error instanceof ApiError && error.problem.field === "unix_account" ? error : null;

  async function add({ name, role, unix_account }: Typed) {
    const password = makeFirstPassword();
    const body = { name, role, password, unix_account: unix_account || null, ...NOT_SAID };
    if (await attempt(() => api.POST("/api/v1/users", { body }))) setMade({ name, password });
  }

  if (made) return <HandOver {...made} onDone={onDone} />;
  return (
    <Modal
      open
      title={say("addTitle")}
      okText={say("add")}
      cancelText={say("cancel")}
      confirmLoading={busy}
      onOk={form.submit}
      onCancel={onDone}
      width={480}
    >
      <p className="soft">{say("addHint")}</p>
      <Form
        name="admin-add-user"
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: "", role: "member", unix_account: "" }}
        onFinish={add}
        onValuesChange={forget}
      >
        <Form.Item
          name="name"
          label={say("name")}
          extra={say("nameHint")}
          validateTrigger={["onBlur", "onSubmit"]}
          normalize={(typed: string) => typed.trim()}
          rules={[
            {
              validator: (_, name: string) => {
                const problem = problemOfName(name, taken);
                return problem ? Promise.reject(new Error(say(problem))) : Promise.resolve();
              },
            },
          ]}
        >
          <Input autoFocus autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={64} />
        </Form.Item>
        <RoleField />
        <AccountField problem={atAccount?.message ?? null} />
        {error !== null && !atAccount && <ErrorNotice error={error} />}
      </Form>
    </Modal>
  );
}
