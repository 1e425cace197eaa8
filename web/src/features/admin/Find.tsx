import { SearchOutlined } from "@ant-design/icons";
import { Input } from "antd";
import { clearable } from "@/ui/form/clearable";

interface FindProps {
  label: string;
  text: string;
  onText: (text: string) => void;
}

/** Narrows the list below it while one types. */
export function Find({ label, text, onText }: FindProps) {
  return (
    <search className="admin-find">
      <Input
        allowClear={clearable}
        prefix={<SearchOutlined />}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
    </search>
  );
}
