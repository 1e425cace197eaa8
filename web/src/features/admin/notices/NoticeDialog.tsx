import { Alert, App, Checkbox, Form, Input, Modal, Select } from "antd";
import { api } from "@/lib/api/client";
import type { NoticeFields, PostedNotice } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { ALERT_OF, LEVELS } from "@/ui/notice/levels";
import { NoticeText } from "@/ui/notice/NoticeText";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { useAttempt } from "../useAttempt";
import { fromField, toField } from "./times";
import { words } from "./words";

const ROLES: readonly PostedNotice["roles"][number][] = ["member", "mentor", "admin", "viewer"];
const LONGEST_TEXT = 5000;

interface Typed {
  text_en: string;
  text_zh: string;
  level: PostedNotice["level"];
  begins_at: string;
  ends_at: string;
  roles: PostedNotice["roles"];
  public: boolean;
}

/** A new notice, or one that is there already. */
export function NoticeDialog({ notice, onDone }: { notice: PostedNotice | null; onDone: () => void }) {
  const say = useWords(words);
  const { message } = App.useApp();
  const [form] = Form.useForm<Typed>();
  const { busy, error, attempt, forget } = useAttempt();

  async function save(typed: Typed) {
    const body: NoticeFields = {
      ...typed,
      roles: typed.public ? [] : typed.roles,
      // A field knows minutes alone: a begin that was not touched keeps its seconds.
      begins_at:
        notice && typed.begins_at === toField(notice.begins_at)
          ? notice.begins_at
          : fromField(typed.begins_at),
      ends_at: fromField(typed.ends_at),
    };
    const send = () =>
      notice
        ? api.PUT("/api/v1/notices/{notice_id}", { params: { path: { notice_id: notice.id } }, body })
        : api.POST("/api/v1/notices", { body });
    if (!(await attempt(send))) return;
    void message.success(say(notice ? "wasSaved" : "wasPosted"));
    onDone();
  }

  return (
    <Modal
      open
      title={notice ? say("editTitle", { id: notice.id }) : say("addTitle")}
      okText={say(notice ? "save" : "post")}
      cancelText={say("cancel")}
      confirmLoading={busy}
      onOk={form.submit}
      onCancel={onDone}
      width={640}
    >
      <Form
        name="admin-notice"
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{
          text_en: notice?.text_en ?? "",
          text_zh: notice?.text_zh ?? "",
          level: notice?.level ?? "info",
          begins_at: notice ? toField(notice.begins_at) : "",
          ends_at: toField(notice?.ends_at ?? null),
          roles: notice?.roles ?? [],
          public: notice?.public ?? false,
        }}
        onFinish={save}
        onValuesChange={forget}
      >
        <Texts />
        <Preview />
        <Form.Item name="level" label={say("level")} extra={notice && say("again")}>
          <Select options={LEVELS.map((level) => ({ value: level, label: say(level) }))} />
        </Form.Item>
        <div className="notice-times">
          <Form.Item name="begins_at" label={say("from")} extra={notice ? undefined : say("fromHint")}>
            <Input type="datetime-local" />
          </Form.Item>
          <Form.Item name="ends_at" label={say("until")} extra={say("untilHint")}>
            <Input type="datetime-local" />
          </Form.Item>
        </div>
        <Audience />
        {error !== null && <ErrorNotice error={error} />}
      </Form>
    </Modal>
  );
}

function Texts() {
  const say = useWords(words);
  return (
    <>
      <Form.Item
        name="text_en"
        label={say("english")}
        dependencies={["text_zh"]}
        validateTrigger="onSubmit"
        rules={[
          ({ getFieldValue }) => ({
            validator: (_, english: string) =>
              english.trim() || String(getFieldValue("text_zh")).trim()
                ? Promise.resolve()
                : Promise.reject(new Error(say("textMissing"))),
          }),
        ]}
      >
        <Input.TextArea autoFocus autoSize={{ minRows: 2, maxRows: 8 }} maxLength={LONGEST_TEXT} />
      </Form.Item>
      <Form.Item name="text_zh" label={say("chinese")} extra={say("textHint")}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} maxLength={LONGEST_TEXT} />
      </Form.Item>
    </>
  );
}

function Preview() {
  const say = useWords(words);
  const form = Form.useFormInstance<Typed>();
  const text_en = Form.useWatch("text_en", form) ?? "";
  const text_zh = Form.useWatch("text_zh", form) ?? "";
  const level = Form.useWatch("level", form) ?? "info";
  if (!text_en.trim() && !text_zh.trim()) return null;
  return (
    <section className="notice-preview" aria-label={say("preview")}>
      <Alert showIcon type={ALERT_OF[level]} title={<NoticeText notice={{ text_en, text_zh }} />} />
    </section>
  );
}

function Audience() {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const isPublic = Form.useWatch("public", Form.useFormInstance<Typed>());
  return (
    <>
      <Form.Item name="public" valuePropName="checked" extra={say("publicHint")}>
        <Checkbox>{say("public")}</Checkbox>
      </Form.Item>
      {!isPublic && (
        <Form.Item name="roles" label={say("audience")} extra={say("audienceHint")}>
          <Select
            mode="multiple"
            options={ROLES.map((role) => ({ value: role, label: vocabulary(`role.${role}`) }))}
          />
        </Form.Item>
      )}
    </>
  );
}
