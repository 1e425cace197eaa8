import { Alert, App, Form, InputNumber, Modal } from "antd";
import { useMe } from "@/app/session";
import { ApiError, api } from "@/lib/api/client";
import type { UserRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { useAttempt } from "../useAttempt";
import { AccountField } from "./AccountField";
import { guardOf } from "./guards";
import { RoleField } from "./RoleField";
import { words } from "./words";

interface Typed {
  role: UserRow["role"];
  unix_account: string;
  priority: number;
}

interface EditUserProps {
  user: UserRow;
  users: readonly UserRow[];
  onDone: () => void;
}

export function EditUser({ user, users, onDone }: EditUserProps) {
  const say = useWords(words);
  const me = useMe().name;
  const { message } = App.useApp();
  const [form] = Form.useForm<Typed>();
  const role = Form.useWatch("role", form) ?? user.role;
  const { busy, error, attempt, forget } = useAttempt();
  const { name } = user;
  const guard = guardOf(user, { role }, me, users);
  const atAccount = error instanceof ApiError && error.problem.field === "unix_account" ? error : null;

  async function save(typed: Typed) {
    const account = typed.unix_account;
    const body = {
      role: typed.role,
      priority: typed.priority,
      ...(account ? { unix_account: account } : { clear: ["unix_account" as const] }),
    };
    const params = { path: { name } };
    if (!(await attempt(() => api.PATCH("/api/v1/users/{name}", { params, body })))) return;
    void message.success(say("saved", { name }));
    onDone();
  }

  return (
    <Modal
      open
      title={say("editTitle", { name })}
      okText={say("save")}
      cancelText={say("cancel")}
      okButtonProps={{ disabled: guard === "lastAdmin", danger: guard === "yourself" }}
      confirmLoading={busy}
      onOk={form.submit}
      onCancel={onDone}
      width={480}
    >
      <Form
        name="admin-edit-user"
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ role: user.role, unix_account: user.unix_account ?? "", priority: user.priority }}
        onFinish={save}
        onValuesChange={forget}
      >
        <RoleField />
        {guard && (
          <Alert
            type={guard === "lastAdmin" ? "error" : "warning"}
            showIcon
            role="alert"
            style={{ marginBottom: 16 }}
            title={say(guard === "lastAdmin" ? "lastAdmin" : "demoteYourself", { name })}
          />
        )}
        <AccountField problem={atAccount?.message ?? null} />
        <Form.Item
          name="priority"
          label={say("priority")}
          extra={say("priorityHint")}
          rules={[{ required: true, type: "number", min: -1e6, max: 1e6, message: say("priorityMissing") }]}
        >
          <InputNumber style={{ width: 160 }} />
        </Form.Item>
        {error !== null && !atAccount && <ErrorNotice error={error} />}
      </Form>
    </Modal>
  );
}
