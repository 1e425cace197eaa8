import { EditOutlined } from "@ant-design/icons";
import { App, Button, Checkbox, Form, InputNumber, Modal } from "antd";
import { useState } from "react";
import { api } from "@/lib/api/client";
import type { GpuRow, NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { words } from "../words";

const MOST = 16;

interface GpuSlotsProps {
  gpu: GpuRow;
  node: NodeRow;
  allowed: boolean;
}

/** How many jobs may hold a GPU at a time. An administrator changes it here. */
export function GpuSlots({ gpu, node, allowed }: GpuSlotsProps) {
  const say = useWords(words);
  const [open, setOpen] = useState(false);
  if (!allowed) return gpu.slots;
  const facts = { index: gpu.index, node: gpu.node, slots: gpu.slots };
  return (
    <>
      <Button
        size="small"
        type="text"
        icon={<EditOutlined />}
        iconPlacement="end"
        aria-label={say("changeSlots", facts)}
        onClick={() => setOpen(true)}
      >
        {gpu.slots}
      </Button>
      {open && <SlotsDialog gpu={gpu} node={node} onDone={() => setOpen(false)} />}
    </>
  );
}

interface Typed {
  slots: number;
  all: boolean;
}

function SlotsDialog({ gpu, node, onDone }: Omit<GpuSlotsProps, "allowed"> & { onDone: () => void }) {
  const say = useWords(words);
  const { message } = App.useApp();
  const [form] = Form.useForm<Typed>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const facts = { index: gpu.index, node: gpu.node };

  async function save({ slots, all }: Typed) {
    const changed = (all ? node.gpus : [gpu]).filter((each) => each.slots !== slots);
    setBusy(true);
    setError(null);
    try {
      for (const { index } of changed) {
        const params = { path: { name: gpu.node, index } };
        await api.PATCH("/api/v1/nodes/{name}/gpus/{index}", { params, body: { slots } });
      }
      void message.success(say(all ? "slotsOfAllSet" : "slotsSet", { ...facts, count: slots }));
      onDone();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal
      open
      title={say("slotsTitle", facts)}
      okText={say("saveSlots")}
      cancelText={say("cancel")}
      confirmLoading={busy}
      onOk={form.submit}
      onCancel={onDone}
      width={480}
    >
      <p>{say("slotsHint")}</p>
      <Form
        name="gpu-slots"
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ slots: gpu.slots, all: false }}
        onFinish={save}
      >
        <Form.Item
          name="slots"
          label={say("slotsLabel")}
          rules={[
            {
              required: true,
              type: "integer",
              min: 1,
              max: MOST,
              message: say("slotsWrong", { most: MOST }),
            },
          ]}
        >
          <InputNumber autoFocus style={{ width: 120 }} />
        </Form.Item>
        {node.gpus.length > 1 && (
          <Form.Item name="all" valuePropName="checked">
            <Checkbox>{say("slotsOfAll", { count: node.gpus.length, node: gpu.node })}</Checkbox>
          </Form.Item>
        )}
        {error !== null && <ErrorNotice error={error} />}
      </Form>
    </Modal>
  );
}
