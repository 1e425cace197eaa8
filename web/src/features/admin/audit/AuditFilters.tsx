import { Input, Select } from "antd";
import { useEffect, useState } from "react";
import type { AuditActionRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { clearable } from "@/ui/form/clearable";
import { type AuditSearch, type AuditSpan, SPANS } from "./address";
import { words } from "./words";

const TYPING_MS = 300;

interface AuditFiltersProps {
  search: AuditSearch;
  actions: readonly AuditActionRow[];
  onChange: (search: AuditSearch) => void;
}

export function AuditFilters({ search, actions, onChange }: AuditFiltersProps) {
  const say = useWords(words);
  function set(name: keyof AuditSearch, value: string | undefined) {
    const { [name]: _, ...rest } = search;
    onChange(value ? { ...rest, [name]: value } : rest);
  }
  return (
    <search className="audit-filters">
      <TextFilter label={say("who")} text={search.actor ?? ""} onText={(text) => set("actor", text)} />
      <Select
        aria-label={say("action")}
        placeholder={say("action")}
        allowClear
        showSearch={{ optionFilterProp: "label" }}
        value={search.action}
        onChange={(chosen) => set("action", chosen)}
        options={actions.map(({ action, title }) => ({ value: action, label: title }))}
      />
      <TextFilter label={say("object")} text={search.target ?? ""} onText={(text) => set("target", text)} />
      <Select<AuditSpan>
        aria-label={say("when")}
        placeholder={say("anyTime")}
        allowClear
        value={search.span}
        onChange={(chosen) => set("span", chosen)}
        options={SPANS.map((span) => ({ value: span, label: say(span) }))}
      />
    </search>
  );
}

interface TextFilterProps {
  label: string;
  text: string;
  onText: (text: string) => void;
}

/** What is typed goes into the address once the typing rests. */
function TextFilter({ label, text, onText }: TextFilterProps) {
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
      allowClear={clearable}
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}
