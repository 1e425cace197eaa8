import { Button, Form, Input } from "antd";
import { useState } from "react";
import { ApiError, answer, api } from "@/lib/api/client";
import type { Me } from "@/lib/api/schema";
import { isFieldInUse } from "@/lib/focus";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { WithCode } from "@/ui/value/WithCode";
import { words } from "../words";
import { codeOf, signInByLink } from "./LoginLink";

/** For who has no password: a new link, pasted here or opened in another tab, whose session this one then shares. */
export function LoginByLink({ onSignedIn }: { onSignedIn: (me: Me) => void }) {
  const say = useWords(words);
  const [inUse] = useState(isFieldInUse);
  const [busy, setBusy] = useState<"pasted" | "elsewhere" | null>(null);
  const [error, setError] = useState<Error | null>(null);

  async function enter(how: "pasted" | "elsewhere", asked: Promise<Me>) {
    setBusy(how);
    setError(null);
    try {
      onSignedIn(await asked);
    } catch (problem) {
      const notYet = how === "elsewhere" && problem instanceof ApiError && problem.status === 401;
      setError(notYet ? new Error(say("notYetElsewhere")) : (problem as Error));
    } finally {
      setBusy(null);
    }
  }

  return (
    <>
      <p>
        <WithCode text={say("newLinkHint")} />
      </p>
      <Form
        name="login-link"
        layout="vertical"
        requiredMark={false}
        onFinish={({ link }: { link: string }) => enter("pasted", signInByLink(codeOf(link) ?? ""))}
      >
        <Form.Item
          name="link"
          label={say("link")}
          validateTrigger="onSubmit"
          rules={[
            {
              validator: (_, value?: string) =>
                codeOf(value ?? "") ? Promise.resolve() : Promise.reject(new Error(say("linkMissing"))),
            },
          ]}
        >
          <Input size="large" autoComplete="off" spellCheck={false} autoFocus={!inUse} />
        </Form.Item>
        {error && (
          <Form.Item>
            <ErrorNotice error={error} />
          </Form.Item>
        )}
        <Button type="primary" htmlType="submit" size="large" block loading={busy === "pasted"}>
          {say("signIn")}
        </Button>
      </Form>
      <Button
        block
        size="large"
        style={{ marginTop: 8 }}
        loading={busy === "elsewhere"}
        onClick={() => void enter("elsewhere", answer(api.GET("/api/v1/me")))}
      >
        {say("openedElsewhere")}
      </Button>
    </>
  );
}
