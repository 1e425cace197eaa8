import { CaretRightOutlined, PauseOutlined, SearchOutlined } from "@ant-design/icons";
import { Button, Input, Select } from "antd";
import { useEffect, useState } from "react";
import { useWords } from "@/lib/i18n/language";
import { clearable } from "@/ui/form/clearable";
import { CopyButton } from "@/ui/value/CopyButton";
import { LEVELS, type Level } from "./address";
import { words } from "./words";

const TYPING_MS = 300;

interface LogToolsProps {
  level: Level;
  text: string;
  onFilter: (level: Level, text: string) => void;
  paused: boolean;
  missed: number;
  onPause: (paused: boolean) => void;
  copied: () => string;
}

export function LogTools({ level, text, onFilter, paused, missed, onPause, copied }: LogToolsProps) {
  const say = useWords(words);
  return (
    <search className="serverlog-tools">
      <Select<Level>
        aria-label={say("level")}
        className="serverlog-level"
        value={level}
        onChange={(chosen) => onFilter(chosen, text)}
        options={LEVELS.map((each) => ({
          value: each,
          label: each === "error" ? say("error") : say("andAbove", { level: say(each) }),
        }))}
      />
      <TextFilter text={text} onText={(typed) => onFilter(level, typed)} />
      <Button
        className="serverlog-pause"
        icon={paused ? <CaretRightOutlined /> : <PauseOutlined />}
        type={paused ? "primary" : "default"}
        onClick={() => onPause(!paused)}
      >
        {paused ? (missed > 0 ? say("resumeWith", { count: missed }) : say("resume")) : say("pause")}
      </Button>
      <CopyButton text={copied} />
    </search>
  );
}

/** What is typed goes into the address once the typing rests; what the address says goes in here. */
function TextFilter({ text, onText }: { text: string; onText: (text: string) => void }) {
  const say = useWords(words);
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing sets the clock.
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => onText(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Input
      className="serverlog-text"
      type="search"
      allowClear={clearable}
      maxLength={200}
      spellCheck={false}
      prefix={<SearchOutlined aria-hidden />}
      aria-label={say("text")}
      placeholder={say("textHint")}
      value={typed}
      onChange={(change) => setTyped(change.target.value)}
      onPressEnter={() => onText(typed.trim())}
    />
  );
}
