import { useQueryClient } from "@tanstack/react-query";
import { Alert, Button, Form, Input, Modal, Select } from "antd";
import { useState } from "react";
import { answer, api, BASE } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { NewToken } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import { Command } from "@/ui/value/Command";
import { Secret } from "@/ui/value/Secret";
import { words } from "./words";

const DAY_S = 86_400;

/** A name first; then the secret, which stays until the user says that it is kept. */
export function NewTokenDialog({ onDone }: { onDone: () => void }) {
  const [made, setMade] = useState<NewToken | null>(null);
  return made ? <MadeToken token={made} onDone={onDone} /> : <AskToken onMade={setMade} onCancel={onDone} />;
}

function AskToken({ onMade, onCancel }: { onMade: (token: NewToken) => void; onCancel: () => void }) {
  const say = useWords(words);
  const client = useQueryClient();
  const [form] = Form.useForm<{ name: string; days: number }>();
  const { busy, act } = useAct();

  async function make({ name, days }: { name: string; days: number }) {
    await act(async () => {
      const body = { name: name.trim(), lifetime_s: days ? days * DAY_S : null };
      onMade(await answer(api.POST("/api/v1/me/tokens", { body })));
      void client.invalidateQueries({ queryKey: keys.tokens });
    });
  }

  return (
    <Modal
      open
      title={say("newToken")}
      okText={say("make")}
      onOk={form.submit}
      confirmLoading={busy}
      onCancel={onCancel}
      width={440}
    >
      <Form
        name="account-token"
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ days: 90 }}
        onFinish={make}
      >
        <Form.Item
          name="name"
          label={say("tokenName")}
          rules={[{ required: true, whitespace: true, message: say("tokenNameMissing") }]}
        >
          <Input autoFocus maxLength={200} placeholder={say("tokenNameHint")} />
        </Form.Item>
        <Form.Item name="days" label={say("lifetime")}>
          <Select
            options={[
              { value: 7, label: say("afterDays", { count: 7 }) },
              { value: 30, label: say("afterDays", { count: 30 }) },
              { value: 90, label: say("afterDays", { count: 90 }) },
              { value: 365, label: say("afterYear") },
              { value: 0, label: say("notAtAll") },
            ]}
          />
        </Form.Item>
      </Form>
    </Modal>
  );
}

function MadeToken({ token, onDone }: { token: NewToken; onDone: () => void }) {
  const say = useWords(words);
  return (
    <Modal
      open
      title={say("tokenMade", { name: token.name })}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      width={560}
      footer={<Button onClick={onDone}>{say("kept")}</Button>}
    >
      <Alert type="warning" showIcon title={say("shownOnce")} style={{ marginBottom: 16 }} />
      <Secret label={say("tokenSecret")} value={token.secret} />
      <p style={{ margin: "16px 0 4px" }}>{say("howToUse")}</p>
      <Command text={loginCommand()} />
    </Modal>
  );
}

function loginCommand(): string {
  return `danlu login ${BASE.href.replace(/\/$/, "")} --token-stdin`;
}
