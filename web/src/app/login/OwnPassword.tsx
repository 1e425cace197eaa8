import { Button, Form, Input, Modal } from "antd";
import { useState } from "react";
import { ApiError, answer, api } from "@/lib/api/client";
import type { Me } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { NewPassword } from "@/ui/form/NewPassword";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { words } from "../words";
import { Doorstep } from "./Doorstep";

interface OwnPasswordProps {
  /** Over a page that the user works on, instead of before it. */
  over?: boolean;
  onDone: (me: Me) => void;
}

/** A password that an administrator has set is changed before anything else. */
export default function OwnPassword({ over = false, onDone }: OwnPasswordProps) {
  const say = useWords(words);
  const title = say("changeTitle");
  const form = <OwnPasswordForm onDone={onDone} />;
  if (!over) return <Doorstep title={title}>{form}</Doorstep>;
  return (
    <Modal
      open
      title={title}
      footer={null}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      width={440}
    >
      {form}
    </Modal>
  );
}

function OwnPasswordForm({ onDone }: { onDone: (me: Me) => void }) {
  const say = useWords(words);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);

  async function change(typed: { old: string; new: string }) {
    setBusy(true);
    setError(null);
    try {
      await api.POST("/api/v1/me/password", { body: { old: typed.old, new: typed.new } });
      onDone(await answer(api.GET("/api/v1/me")));
    } catch (problem) {
      if (problem instanceof ApiError) setError(problem);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <p>{say("changeHint")}</p>
      <Form name="own-password" layout="vertical" requiredMark={false} onFinish={change}>
        <Form.Item
          name="old"
          label={say("oldPassword")}
          rules={[{ required: true, message: say("passwordMissing") }]}
        >
          <Input.Password size="large" autoComplete="current-password" autoFocus />
        </Form.Item>
        <NewPassword size="large" />
        {error && (
          <Form.Item>
            <ErrorNotice error={error} />
          </Form.Item>
        )}
        <Button type="primary" htmlType="submit" size="large" block loading={busy}>
          {say("change")}
        </Button>
      </Form>
    </>
  );
}
