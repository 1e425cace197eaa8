import { Form, Input } from "antd";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";

const SHORTEST = 8;

/** A new password, typed twice: the fields `new` and `again` of the form around it. */
export function NewPassword({ size }: { size?: "large" }) {
  const say = useWords(words);
  return (
    <>
      <Form.Item
        name="new"
        label={say("newPassword")}
        extra={say("passwordRule", { count: SHORTEST })}
        rules={[{ required: true, min: SHORTEST, message: say("passwordShort", { count: SHORTEST }) }]}
      >
        <Input.Password size={size} autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="again"
        label={say("repeatPassword")}
        dependencies={["new"]}
        rules={[
          ({ getFieldValue }) => ({
            validator: (_, value?: string) =>
              (value ?? "") === (getFieldValue("new") ?? "")
                ? Promise.resolve()
                : Promise.reject(new Error(say("passwordDiffers"))),
          }),
        ]}
      >
        <Input.Password size={size} autoComplete="new-password" />
      </Form.Item>
    </>
  );
}
