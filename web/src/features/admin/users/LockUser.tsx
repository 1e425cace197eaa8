import { Alert, App, Modal } from "antd";
import { useMe } from "@/app/session";
import { api } from "@/lib/api/client";
import type { UserRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { useAttempt } from "../useAttempt";
import { guardOf } from "./guards";
import { words } from "./words";

interface LockUserProps {
  user: UserRow;
  users: readonly UserRow[];
  onDone: () => void;
}

export function LockUser({ user, users, onDone }: LockUserProps) {
  const say = useWords(words);
  const me = useMe().name;
  const { message } = App.useApp();
  const { busy, error, attempt } = useAttempt();
  const { name, waiting = 0, running = 0 } = user;
  const guard = guardOf(user, { locked: true }, me, users);

  async function lock() {
    const params = { path: { name } };
    if (!(await attempt(() => api.PATCH("/api/v1/users/{name}", { params, body: { locked: true } })))) return;
    void message.success(say("wasLocked", { name }));
    onDone();
  }

  return (
    <Modal
      open
      title={say("lockQuestion", { name })}
      okText={say("lock")}
      cancelText={say("cancel")}
      okButtonProps={{ danger: true, disabled: guard === "lastAdmin" }}
      confirmLoading={busy}
      onOk={() => void lock()}
      onCancel={onDone}
      width={480}
    >
      {guard && (
        <Alert
          type={guard === "lastAdmin" ? "error" : "warning"}
          showIcon
          role="alert"
          title={say(guard === "lastAdmin" ? "lastAdmin" : "lockYourself", { name })}
        />
      )}
      {guard !== "lastAdmin" && <p>{say("lockWarning", { name, waiting, running })}</p>}
      {error !== null && <ErrorNotice error={error} />}
    </Modal>
  );
}
