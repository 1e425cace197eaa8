import { QuestionCircleOutlined } from "@ant-design/icons";
import { Button, Popover } from "antd";
import { useState } from "react";
import { useWords } from "@/lib/i18n/language";
import { submitKeys, useKey } from "@/lib/keyboard";
import { words } from "./words";

/** What the keyboard can do. */
export function KeysHelp() {
  const say = useWords(words);
  const [open, setOpen] = useState(false);
  useKey("?", () => setOpen((now) => !now));
  const keys: [string, string][] = [
    ["/", say("keySearch")],
    ["n", say("keyNew")],
    ["↑ ↓", say("keyMove")],
    ["Enter", say("keyOpen")],
    ["Space", say("keySelect")],
    ["Esc", say("keyClear")],
    ["Alt ↑ ↓", say("keyReorder")],
    ["f", say("keyFull")],
    [submitKeys(), say("keySubmit")],
    ["?", say("keyHelp")],
  ];
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      title={say("keys")}
      content={
        <table>
          <tbody>
            {keys.map(([key, what]) => (
              <tr key={key}>
                <td style={{ paddingRight: 16 }}>
                  <kbd>{key}</kbd>
                </td>
                <td>{what}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      <Button className="keys-help" type="text" icon={<QuestionCircleOutlined />} aria-label={say("keys")} />
    </Popover>
  );
}
