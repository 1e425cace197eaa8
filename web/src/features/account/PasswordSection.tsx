import { App, Button, Form, Input } from "antd";
import { useState } from "react";
import { useMe } from "@/app/session";
import { api } from "@/lib/api/client";
import { useWords } from "@/lib/i18n/language";
import { NewPassword } from "@/ui/form/NewPassword";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Section } from "./Section";
import { words } from "./words";

interface Typed {
  old?: string;
  new: string;
}

export function PasswordSection() {
  const say = useWords(words);
  const me = useMe();
  const { message } = App.useApp();
  const [form] = Form.useForm<Typed>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function change(typed: Typed) {
    setBusy(true);
    setError(null);
    try {
      await api.POST("/api/v1/me/password", { body: { old: typed.old ?? null, new: typed.new } });
      form.resetFields();
      void message.success(say("passwordChanged"));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Section title={say("password")} hint={say(me.has_password ? "passwordHint" : "noPassword")}>
      <Form name="account-password" form={form} layout="vertical" requiredMark={false} onFinish={change}>
        {me.has_password && (
          <Form.Item
            name="old"
            label={say("oldPassword")}
            rules={[{ required: true, message: say("oldMissing") }]}
          >
            <Input.Password autoComplete="current-password" />
          </Form.Item>
        )}
        <NewPassword />
        {error !== null && (
          <Form.Item>
            <ErrorNotice error={error} />
          </Form.Item>
        )}
        <Button htmlType="submit" loading={busy}>
          {say(me.has_password ? "changePassword" : "setPassword")}
        </Button>
      </Form>
    </Section>
  );
}
