import { useQueryClient } from "@tanstack/react-query";
import { Button, Checkbox, Modal } from "antd";
import { useState } from "react";
import { answer, api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { JobFields } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { useAct } from "@/ui/action/useAct";
import { changesBetween } from "../form/changes";
import { useForm } from "../form/context";
import { FIELD_NAMES, type FieldName, sameField, toFields, toForm } from "../form/jobForm";
import { useValueWords } from "../form/valueWords";
import { words } from "../words";

/** What belongs to one job rather than to all of a user's. */
const OF_ONE_JOB: readonly FieldName[] = [
  "command",
  "arguments",
  "name",
  "after",
  "after_ok",
  "array",
  "hold",
  "urgent",
  "variables",
  "description",
  "call",
];

/** Chosen values of the form become what new jobs begin with. */
export function SaveDefaults({ defaults }: { defaults: JobFields }) {
  const say = useWords(words);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button type="link" size="small" onClick={() => setOpen(true)}>
        {say("saveDefaults")}
      </Button>
      {open && <Choice defaults={defaults} onClose={() => setOpen(false)} />}
    </>
  );
}

function Choice({ defaults, onClose }: { defaults: JobFields; onClose: () => void }) {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const show = useValueWords();
  const client = useQueryClient();
  const { busy, act } = useAct();
  const { form, base, origin } = useForm();
  const before = toForm(defaults);
  // What the lab gives a new job is no choice of the user's.
  const isLabs = (name: FieldName) => origin === "defaults" && sameField(form, base, name);
  const { fields, unread } = toFields(form);
  const differing = FIELD_NAMES.filter(
    (name) => !sameField(form, before, name) && !isLabs(name) && !unread.includes(name) && name !== "call",
  );
  const [chosen, setChosen] = useState<FieldName[]>(differing.filter((name) => !OF_ONE_JOB.includes(name)));

  async function save() {
    const wanted = { ...defaults };
    for (const name of chosen) Object.assign(wanted, { [name]: fields[name] ?? null });
    const body = changesBetween(defaults, wanted);
    const saved = await act(async () => {
      client.setQueryData(keys.defaults, await answer(api.PATCH("/api/v1/me/defaults", { body })));
    }, say("saveDefaultsDone"));
    if (saved) onClose();
  }

  return (
    <Modal
      open
      title={say("saveDefaultsTitle")}
      okText={say("saveDefaultsDo")}
      okButtonProps={{ disabled: chosen.length === 0, loading: busy }}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <p className="soft">{say(differing.length ? "saveDefaultsHint" : "saveDefaultsNone")}</p>
      <Checkbox.Group
        style={{ display: "grid", gap: 8 }}
        value={chosen}
        onChange={setChosen}
        options={differing.map((name) => ({
          value: name,
          label: (
            <>
              {vocabulary(`label.${name}` as Parameters<typeof vocabulary>[0])}{" "}
              <span className="soft mono">{show(form, name)}</span>
            </>
          ),
        }))}
      />
    </Modal>
  );
}
