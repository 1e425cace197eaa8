import { Button, Input, Switch } from "antd";
import { useEffect, useId, useState } from "react";
import type { SettingRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { readDraft, type Value } from "./draft";
import { words } from "./words";

interface SettingFieldProps {
  row: SettingRow;
  labelledBy: string;
  describedBy: string;
  busy: boolean;
  /** The server's refusal, which stands at the field until something else is typed. */
  refusal: string | null;
  onTyped: () => void;
  onSave: (value: Value) => void;
}

/** A switch acts at once; a number or a text when it is saved. */
export function SettingField(props: SettingFieldProps) {
  const { row, labelledBy, describedBy, busy, onSave } = props;
  if (row.kind !== "switch") return <TypedField {...props} />;
  return (
    <Switch
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      loading={busy}
      checked={row.value === true}
      onChange={onSave}
    />
  );
}

function TypedField({ row, labelledBy, describedBy, busy, refusal, onTyped, onSave }: SettingFieldProps) {
  const say = useWords(words);
  const id = useId();
  const saved = String(row.value);
  const [typed, setTyped] = useState(saved);
  // What another administrator has saved meanwhile is shown; the draft was for the value before.
  useEffect(() => setTyped(saved), [saved]);
  const read = readDraft(row, typed);
  const { least, most } = row;
  const isChanged = typed.trim() !== saved;
  const problem =
    "problem" in read
      ? say(read.problem, { least: least ?? "", most: most ?? "" })
      : isChanged
        ? refusal
        : null;

  function cancel() {
    setTyped(saved);
    onTyped();
  }

  function save() {
    if (isChanged && "value" in read && !busy) onSave(read.value);
  }

  return (
    <form
      className="setting-field"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Input
        className={row.kind === "number" ? "setting-number" : "setting-text"}
        aria-labelledby={labelledBy}
        aria-describedby={problem ? id : describedBy}
        aria-invalid={problem !== null}
        status={problem ? "error" : ""}
        inputMode={row.kind === "number" ? "numeric" : "text"}
        autoComplete="off"
        spellCheck={false}
        maxLength={1000}
        suffix={row.unit || null}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          onTyped();
        }}
        onKeyDown={({ key }) => key === "Escape" && cancel()}
      />
      {isChanged && (
        <>
          <Button
            type="primary"
            htmlType="submit"
            loading={busy}
            disabled={"problem" in read}
            aria-label={say("saveNamed", { title: row.title })}
          >
            {say("save")}
          </Button>
          <Button disabled={busy} onClick={cancel}>
            {say("cancel")}
          </Button>
        </>
      )}
      {problem && (
        <p id={id} role="alert" className="setting-problem">
          {problem}
        </p>
      )}
    </form>
  );
}
