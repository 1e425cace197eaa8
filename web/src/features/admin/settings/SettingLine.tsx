import { useQueryClient } from "@tanstack/react-query";
import { App, Button } from "antd";
import { useId } from "react";
import { api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { SettingRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { Ago } from "@/ui/value/Time";
import { useAttempt } from "../useAttempt";
import { showValue, type Value } from "./draft";
import { SettingField } from "./SettingField";
import { words } from "./words";

/** One setting: what it is, its value in place, its default, and who changed it last. */
export function SettingLine({ row }: { row: SettingRow }) {
  const say = useWords(words);
  const client = useQueryClient();
  const { message } = App.useApp();
  const { busy, error, attempt, forget } = useAttempt();
  const id = useId();
  const { name, title, text, value, changed_at, changed_by } = row;
  const show = (each: Value) => showValue(row, each, { on: say("on"), off: say("off"), empty: say("empty") });

  async function save(wanted: Value) {
    const worked = await attempt(async () => {
      await api.PATCH("/api/v1/settings", { body: { [name]: wanted } });
      await client.invalidateQueries({ queryKey: keys.settings });
    });
    if (worked) void message.success(say("saved", { title, value: show(wanted) }));
  }

  const refusal = error instanceof Error ? error.message : null;
  return (
    <li className="setting">
      <div className="setting-words">
        <h2 id={`${id}-title`}>{title}</h2>
        <p id={`${id}-text`} className="soft">
          {text}
        </p>
      </div>
      <div className="setting-value">
        <SettingField
          row={row}
          labelledBy={`${id}-title`}
          describedBy={`${id}-text`}
          busy={busy}
          refusal={refusal}
          onTyped={forget}
          onSave={(wanted) => void save(wanted)}
        />
        {row.kind === "switch" && refusal && (
          <p role="alert" className="setting-problem">
            {refusal}
          </p>
        )}
        <p className="setting-note soft">
          {value === row.default ? say("isDefault") : say("standard", { value: show(row.default) })}
          {changed_by && (
            <>
              {" · "}
              {say("changedBy", { name: changed_by })} · <Ago at={changed_at} />
            </>
          )}
          {value !== row.default && (
            <Button
              type="link"
              size="small"
              disabled={busy}
              aria-label={say("resetNamed", { title, value: show(row.default) })}
              onClick={() => void save(row.default)}
            >
              {say("reset")}
            </Button>
          )}
        </p>
      </div>
    </li>
  );
}
