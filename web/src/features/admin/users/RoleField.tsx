import { Form, Select } from "antd";
import type { UserRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { words } from "./words";

const ROLES: readonly UserRow["role"][] = ["member", "mentor", "viewer", "admin"];

export function RoleField() {
  const say = useWords(words);
  return (
    <Form.Item name="role" label={say("role")}>
      <Select options={ROLES.map((role) => ({ value: role, label: say(`${role}_role`) }))} />
    </Form.Item>
  );
}
