import { Modal } from "antd";
import { useState } from "react";
import { api } from "@/lib/api/client";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { useAttempt } from "../useAttempt";
import { makeFirstPassword } from "./firstPassword";
import { HandOver } from "./HandOver";
import { words } from "./words";

/** What a new password means first; then the password, once. */
export function NewPasswordFor({ name, onDone }: { name: string; onDone: () => void }) {
  const say = useWords(words);
  const { busy, error, attempt } = useAttempt();
  const [made, setMade] = useState<string | null>(null);

  async function make() {
    const password = makeFirstPassword();
    const params = { path: { name } };
    if (await attempt(() => api.PATCH("/api/v1/users/{name}", { params, body: { password } })))
      setMade(password);
  }

  if (made) return <HandOver name={name} password={made} onDone={onDone} />;
  return (
    <Modal
      open
      title={say("passwordQuestion", { name })}
      okText={say("makePassword")}
      cancelText={say("cancel")}
      confirmLoading={busy}
      onOk={() => void make()}
      onCancel={onDone}
      width={480}
    >
      <p>{say("passwordWarning", { name })}</p>
      {error !== null && <ErrorNotice error={error} />}
    </Modal>
  );
}
