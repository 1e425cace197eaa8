import { Alert, Button, Modal } from "antd";
import { BASE } from "@/lib/api/client";
import { useWords } from "@/lib/i18n/language";
import { Secret } from "@/ui/value/Secret";
import { words } from "./words";

/** A password for another user, shown this once; it stays until the administrator says that it is kept. */
export function HandOver({ name, password, onDone }: { name: string; password: string; onDone: () => void }) {
  const say = useWords(words);
  return (
    <Modal
      open
      title={say("secretTitle", { name })}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      width={520}
      footer={<Button onClick={onDone}>{say("kept")}</Button>}
    >
      <Alert type="warning" showIcon title={say("shownOnce", { name })} style={{ marginBottom: 16 }} />
      <Secret label={say("password")} value={password} />
      <p className="soft" style={{ margin: "12px 0 0", overflowWrap: "anywhere" }}>
        {say("signInAt")} <code>{BASE.href.replace(/\/$/, "")}</code>
      </p>
    </Modal>
  );
}
