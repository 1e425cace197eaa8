import { MoreOutlined } from "@ant-design/icons";
import { Button, Dropdown, type MenuProps, Tooltip } from "antd";
import type { ReactNode } from "react";
import { useWords } from "@/lib/i18n/language";
import { type CopyItems, LogCopyMenu } from "./copy/LogCopyMenu";
import { words } from "./words";

/** One thing that can be done with a log: a button, or an item of a menu where there is little room. */
export interface Tool {
  key: string;
  label: string;
  /** The key that does the same; said where there is a keyboard. */
  shortcut?: string;
  icon: ReactNode;
  onClick?: () => void;
  /** It is on or off. */
  isPressed?: boolean;
  disabled?: boolean;
  /** A file to fetch, in place of something to do. */
  download?: string;
}

export function ToolButton({ tool }: { tool: Omit<Tool, "key"> }) {
  const { shortcut, icon, onClick, isPressed, disabled, download } = tool;
  const say = useWords(words);
  const label = shortcut ? say("withKey", { label: tool.label, key: shortcut }) : tool.label;
  return (
    <Tooltip title={label}>
      <Button
        icon={icon}
        aria-label={label}
        aria-pressed={isPressed}
        className={isPressed ? "log-pressed" : undefined}
        onClick={onClick}
        disabled={disabled}
        {...(download && { href: download, download: true })}
      />
    </Tooltip>
  );
}

/** All of them in a row. */
export function LogTools({ tools, copying }: { tools: readonly Tool[]; copying: CopyItems }) {
  return (
    <>
      {tools.map(({ key, ...tool }) => (
        <ToolButton key={key} tool={tool} />
      ))}
      <LogCopyMenu copying={copying} />
    </>
  );
}

/** All of them in a menu. */
export function LogToolsMenu({ tools, copying }: { tools: readonly Tool[]; copying: CopyItems }) {
  const say = useWords(words);
  const items: MenuProps["items"] = [
    ...tools.map(({ key, label, icon, onClick, isPressed, disabled, download }) => ({
      key,
      icon,
      label: download ? (
        <a href={download} download>
          {label}
        </a>
      ) : (
        label
      ),
      disabled,
      onClick,
      className: isPressed ? "log-pressed-item" : undefined,
      "aria-checked": isPressed,
      ...(isPressed !== undefined && { role: "menuitemcheckbox" }),
    })),
    { type: "divider" },
    ...copying.items,
  ];
  return (
    <Dropdown
      trigger={["click"]}
      menu={{ items, className: "log-tools-menu" }}
      onOpenChange={(isOpen) => isOpen && copying.look()}
    >
      <Button
        icon={<MoreOutlined />}
        aria-label={say("more")}
        onMouseDown={(event) => event.preventDefault()}
      />
    </Dropdown>
  );
}
