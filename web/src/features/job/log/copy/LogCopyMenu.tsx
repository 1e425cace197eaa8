import { CopyOutlined } from "@ant-design/icons";
import { Button, Dropdown, type MenuProps, Tooltip } from "antd";
import { useState } from "react";
import { formatBytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import type { LogState } from "../follow/store";
import type { Row } from "../text/lines";
import { words } from "../words";
import { type Form, MOST_COPIED } from "./copy";
import { selectedRows } from "./selection";
import type { LogCopy } from "./useLogCopy";

type Items = NonNullable<MenuProps["items"]>;

export interface CopyItems {
  items: Items;
  /** The menu opens: what is selected now is what can be copied. */
  look(): void;
}

/** The ways to copy, as items of a menu: what is selected, in view, or all; as text or with colours. */
export function useCopyItems(copy: LogCopy, state: LogState): CopyItems {
  const say = useWords(words);
  const [selected, setSelected] = useState<readonly Row[]>([]);
  const isLong = state.size > MOST_COPIED;
  const all = isLong
    ? say("copyLast", { size: formatBytes(MOST_COPIED) })
    : say("copyAll", { size: formatBytes(state.size) });
  const isEmpty = state.rows.length === 0;
  const group = (form: Form): Items[number] => ({
    key: form,
    type: "group",
    label: say(form === "plain" ? "copyPlain" : "copyColours"),
    children: [
      {
        key: `${form} selected`,
        label: say("copySelected"),
        disabled: selected.length === 0,
        onClick: () => void copy.rows(selected, form),
      },
      {
        key: `${form} seen`,
        label: say("copySeen"),
        disabled: isEmpty,
        onClick: () => void copy.inView(form),
      },
      { key: `${form} all`, label: all, disabled: isEmpty, onClick: () => void copy.all(form) },
    ],
  });
  return { items: [group("plain"), group("colours")], look: () => setSelected(selectedRows(state.rows)) };
}

export function LogCopyMenu({ copying: { items, look } }: { copying: CopyItems }) {
  const say = useWords(words);
  return (
    <Dropdown trigger={["click"]} menu={{ items }} onOpenChange={(isOpen) => isOpen && look()}>
      <Tooltip title={say("copy")}>
        {/* What is selected stays selected while the button is pressed. */}
        <Button
          icon={<CopyOutlined />}
          aria-label={say("copy")}
          onMouseDown={(event) => event.preventDefault()}
        />
      </Tooltip>
    </Dropdown>
  );
}
