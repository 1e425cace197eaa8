import { App, Modal } from "antd";
import { api } from "@/lib/api/client";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { useAttempt } from "../useAttempt";
import { words } from "./words";

export function RemoveNotice({ id, onDone }: { id: number; onDone: () => void }) {
  const say = useWords(words);
  const { message } = App.useApp();
  const { busy, error, attempt } = useAttempt();

  async function remove() {
    const params = { path: { notice_id: id } };
    if (!(await attempt(() => api.DELETE("/api/v1/notices/{notice_id}", { params })))) return;
    void message.success(say("wasRemoved"));
    onDone();
  }

  return (
    <Modal
      open
      title={say("removeQuestion", { id })}
      okText={say("remove")}
      cancelText={say("cancel")}
      okButtonProps={{ danger: true }}
      confirmLoading={busy}
      onOk={() => void remove()}
      onCancel={onDone}
      width={480}
    >
      <p>{say("removeWarning")}</p>
      {error !== null && <ErrorNotice error={error} />}
    </Modal>
  );
}
