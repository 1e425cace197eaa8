import { FolderOpenOutlined } from "@ant-design/icons";
import { Button, Input, Space } from "antd";
import { lazy, Suspense, useState } from "react";
import { useWords } from "@/lib/i18n/language";
import { useForm } from "../form/context";
import { words } from "../words";
import { Field } from "./Field";

// The tree is heavy, and most folders are typed or come from the defaults.
const FolderPicker = lazy(() => import("./FolderPicker"));

/** Typed, or picked in a tree. */
export function FolderField() {
  const say = useWords(words);
  const { form, set } = useForm();
  const [open, setOpen] = useState(false);
  return (
    <Field name="directory">
      {(control) => (
        <>
          <Space.Compact block>
            <Input
              {...control}
              value={form.directory}
              placeholder={say("directoryPlaceholder")}
              spellCheck={false}
              onChange={(event) => set({ directory: event.target.value })}
            />
            <Button icon={<FolderOpenOutlined aria-hidden />} onClick={() => setOpen(true)}>
              {say("browse")}
            </Button>
          </Space.Compact>
          {open && (
            <Suspense fallback={null}>
              <FolderPicker
                path={form.directory}
                onClose={() => setOpen(false)}
                onChoose={(directory) => {
                  set({ directory });
                  setOpen(false);
                }}
              />
            </Suspense>
          )}
        </>
      )}
    </Field>
  );
}
