import { SearchOutlined } from "@ant-design/icons";
import { useNavigate } from "@tanstack/react-router";
import { Input, type InputRef } from "antd";
import { useRef, useState } from "react";
import { useWords } from "@/lib/i18n/language";
import { useKey } from "@/lib/keyboard";
import { words } from "./words";

/** A job's number goes straight to it; anything else is looked for in the lists. */
export function SearchBox() {
  const say = useWords(words);
  const navigate = useNavigate();
  const box = useRef<InputRef>(null);
  const [text, setText] = useState("");
  useKey("/", () => box.current?.focus({ cursor: "all" }));

  function search() {
    const wanted = text.trim();
    if (!wanted) return;
    const ref = /^#?(\d+(?:\[\d+\])?)$/.exec(wanted)?.[1];
    if (ref) void navigate({ to: "/jobs/$ref", params: { ref } });
    else void navigate({ to: "/jobs", search: { search: wanted } });
    setText("");
    box.current?.blur();
  }

  return (
    <Input
      ref={box}
      type="search"
      className="search-box"
      style={{ maxWidth: 360 }}
      prefix={<SearchOutlined aria-hidden />}
      suffix={<kbd aria-hidden>/</kbd>}
      placeholder={say("searchHint")}
      aria-label={say("search")}
      value={text}
      onChange={(change) => setText(change.target.value)}
      onPressEnter={search}
      onKeyDown={(event) => event.key === "Escape" && box.current?.blur()}
    />
  );
}
