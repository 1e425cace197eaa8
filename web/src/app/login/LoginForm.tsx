import { Button, Form, Input } from "antd";
import { useState } from "react";
import { ApiError, answer, api } from "@/lib/api/client";
import type { Me } from "@/lib/api/schema";
import { isFieldInUse } from "@/lib/focus";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { words } from "../words";

interface LoginFormProps {
  /** Whose password it is, when it can be no other user's. */
  name?: string;
  onSignedIn: (me: Me) => void;
}

export function LoginForm({ name, onSignedIn }: LoginFormProps) {
  const say = useWords(words);
  const [form] = Form.useForm<{ name: string; password: string }>();
  const [inUse] = useState(isFieldInUse);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);

  async function signIn(body: { name: string; password: string }) {
    setBusy(true);
    setError(null);
    try {
      onSignedIn(await answer(api.POST("/api/v1/auth/login", { body })));
    } catch (problem) {
      if (problem instanceof ApiError) setError(problem);
      form.getFieldInstance("password")?.focus({ cursor: "all" });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Form
      name="login"
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={{ name }}
      onFinish={signIn}
    >
      <Form.Item
        name="name"
        label={say("name")}
        normalize={(typed: string) => typed.trim()}
        rules={[{ required: true, message: say("nameMissing") }]}
      >
        <Input
          size="large"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={!name}
          readOnly={Boolean(name)}
        />
      </Form.Item>
      <Form.Item
        name="password"
        label={say("password")}
        rules={[{ required: true, message: say("passwordMissing") }]}
      >
        <Input.Password size="large" autoComplete="current-password" autoFocus={Boolean(name) && !inUse} />
      </Form.Item>
      {error && (
        <Form.Item>
          <ErrorNotice error={error} />
        </Form.Item>
      )}
      <Button type="primary" htmlType="submit" size="large" block loading={busy}>
        {say("signIn")}
      </Button>
    </Form>
  );
}
