import { App } from "antd";
import { useMemo } from "react";
import { useMe } from "@/app/session";
import { api } from "@/lib/api/client";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import { words } from "./words";

interface Draining {
  /** Whether this person may. */
  allowed: boolean;
  busy: boolean;
  drainNode(node: string, drained: boolean): void;
  drainGpu(node: string, index: number, drained: boolean): void;
}

/** Take a node or a GPU out of use, after a question that names it; give it back, without one. */
export function useDrain(): Draining {
  const say = useWords(words);
  const { modal } = App.useApp();
  const { busy, act } = useAct();
  const allowed = useMe().role === "admin";

  return useMemo(() => {
    function ask(title: string, content: string, okText: string, doing: () => Promise<unknown>) {
      modal.confirm({ title, content, okText, cancelText: say("keep"), onOk: doing });
    }

    return {
      allowed,
      busy,
      drainNode(node, drained) {
        const params = { path: { name: node } };
        if (!drained) {
          void act(() => api.POST("/api/v1/nodes/{name}/undrain", { params }), say("undrained", { node }));
          return;
        }
        ask(say("drainNodeTitle", { node }), say("drainNodeHint", { node }), say("drainNode", { node }), () =>
          act(() => api.POST("/api/v1/nodes/{name}/drain", { params }), say("drained", { node })),
        );
      },
      drainGpu(node, index, drained) {
        const params = { path: { name: node, index } };
        const facts = { node, index };
        if (!drained) {
          void act(
            () => api.POST("/api/v1/nodes/{name}/gpus/{index}/undrain", { params }),
            say("gpuUndrained", facts),
          );
          return;
        }
        ask(say("drainGpuTitle", facts), say("drainGpuHint", facts), say("drainGpu", facts), () =>
          act(
            () => api.POST("/api/v1/nodes/{name}/gpus/{index}/drain", { params }),
            say("gpuDrained", facts),
          ),
        );
      },
    };
  }, [allowed, busy, act, modal, say]);
}
