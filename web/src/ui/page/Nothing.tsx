import { Empty } from "antd";
import type { ReactNode } from "react";

/** An empty list: what would be here, and what to do about it. */
export function Nothing({ title, hint, action }: { title: string; hint?: ReactNode; action?: ReactNode }) {
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={
        <>
          <div style={{ fontWeight: 600 }}>{title}</div>
          {hint && <div className="soft">{hint}</div>}
        </>
      }
    >
      {action}
    </Empty>
  );
}
