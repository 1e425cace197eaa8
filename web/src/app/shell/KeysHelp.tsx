import { QuestionCircleOutlined } from "@ant-design/icons";
import { Button, Popover } from "antd";
import { useState } from "react";
import { useWords } from "@/lib/i18n/language";
import { searchKeys, submitKeys, useKey } from "@/lib/keyboard";
import { useNarrow } from "@/lib/narrow";
import { maySubmit } from "@/lib/rights";
import { useOfferActions } from "@/ui/action/appActions";
import { useMe } from "../session";
import { words } from "../words";

/** What the keyboard can do. */
export function KeysHelp() {
  const say = useWords(words);
  const me = useMe();
  const submits = maySubmit(me);
  const [open, setOpen] = useState(false);
  useKey("?", () => setOpen((now) => !now));
  // A phone has no keys, and no room for the button.
  const narrow = useNarrow();
  const show = { key: "keys", name: words.keys, also: words.keysAlso, icon: <QuestionCircleOutlined /> };
  useOfferActions(narrow ? [] : [{ ...show, run: () => setOpen(true) }]);
  // A key that would do nothing for this user is not named.
  const keys: [string, string, boolean?][] = [
    [`${searchKeys()}, /`, say("keySearch")],
    ["n", say("keyNew"), submits],
    ["↑ ↓", say("keyMove")],
    ["Enter", say("keyOpen")],
    ["Space", say("keySelect"), submits],
    ["Esc", say("keyClear"), submits],
    ["Alt ↑ ↓", say("keyReorder"), me.role === "admin"],
    ["f", say("keyFull")],
    ["s", say("keyLogSearch")],
    ["p", say("keyLogPause")],
    ["t", say("keyLogTimes")],
    ["l", say("keyLogLink")],
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
            {keys
              .filter(([, , works = true]) => works)
              .map(([key, what]) => (
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
