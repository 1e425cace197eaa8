import { CheckOutlined, CopyOutlined } from "@ant-design/icons";
import { Button, type ButtonProps } from "antd";
import { useEffect, useState } from "react";
import { copyText } from "@/lib/clipboard";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";

interface CopyButtonProps extends Omit<ButtonProps, "onClick" | "children"> {
  /** What is copied, or how to make it. */
  text: string | (() => string);
  onCopied?: () => void;
}

/** Copies, and says so in its own place. Keeps its width while it does. */
export function CopyButton({ text, onCopied, ...more }: CopyButtonProps) {
  const say = useWords(words);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    if (!(await copyText(typeof text === "string" ? text : text()))) return;
    setCopied(true);
    onCopied?.();
  }

  return (
    <Button
      icon={copied ? <CheckOutlined /> : <CopyOutlined />}
      style={{ minWidth: 92 }}
      {...more}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{say(copied ? "copied" : "copy")}</span>
    </Button>
  );
}
