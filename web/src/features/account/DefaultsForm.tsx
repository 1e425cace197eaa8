import { useQuery } from "@tanstack/react-query";
import { AutoComplete, Button, Form, Input, InputNumber } from "antd";
import { useEffect, useState } from "react";
import type { JobFields } from "@/lib/api/schema";
import { parseDuration } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { clearable } from "@/ui/form/clearable";
import { type Edit, editOf, formOf, IN_FORM, type DefaultsForm as Values } from "./defaults";
import { environmentsQuery } from "./queries";
import { words } from "./words";

interface DefaultsFormProps {
  defaults: JobFields;
  change: (edit: Edit, done: string) => Promise<boolean>;
}

/** The usual ones. An empty field is one that is not set. */
export function DefaultsForm({ defaults, change }: DefaultsFormProps) {
  const say = useWords(words);
  const word = useVocabulary();
  const [form] = Form.useForm<Values>();
  const [busy, setBusy] = useState(false);
  const { data: environments } = useQuery(environmentsQuery);
  const typed = Form.useWatch((values: Values) => values, form);
  const edit = typed ? editOf(defaults, typed) : null;

  // What is changed elsewhere shows up here, but never over something being typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form begins anew with each new answer.
  useEffect(() => {
    if (!form.isFieldsTouched()) form.resetFields();
  }, [defaults, form]);

  async function save(values: Values) {
    const wanted = editOf(defaults, values);
    if (!wanted) return;
    setBusy(true);
    if (await change(wanted, say("saved"))) form.setFields(IN_FORM.map((name) => ({ name, touched: false })));
    setBusy(false);
  }

  return (
    <Form
      name="account-defaults"
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={formOf(defaults)}
      onFinish={save}
    >
      <div className="account-fields">
        <Form.Item name="directory" label={word("label.directory")}>
          <Input allowClear={clearable} spellCheck={false} placeholder={say("ownFolder")} />
        </Form.Item>
        <Form.Item name="environment" label={word("label.environment")}>
          <AutoComplete
            allowClear
            placeholder={say("none")}
            options={environments?.map(({ name, path }) => ({ value: path, label: name, title: path }))}
          />
        </Form.Item>
        <Form.Item name="gpus" label={word("label.gpus")}>
          <InputNumber
            min={0}
            max={1024}
            precision={0}
            placeholder={say("labGpus")}
            style={{ width: "100%" }}
          />
        </Form.Item>
        <Form.Item
          name="time_limit_s"
          label={word("label.time_limit_s")}
          tooltip={say("durationHint")}
          rules={[
            {
              validator: (_, value?: string) =>
                !value?.trim() || (parseDuration(value) ?? 0) > 0
                  ? Promise.resolve()
                  : Promise.reject(new Error(say("durationWrong"))),
            },
          ]}
        >
          <Input allowClear={clearable} placeholder={say("noLimit")} />
        </Form.Item>
        <Form.Item name="retries" label={word("label.retries")}>
          <InputNumber min={0} max={1000} precision={0} placeholder="0" style={{ width: "100%" }} />
        </Form.Item>
      </div>
      <div className="account-buttons">
        <Button type="primary" htmlType="submit" loading={busy} disabled={!edit}>
          {say("save")}
        </Button>
      </div>
    </Form>
  );
}
