import { Card } from "antd";
import type { ReactNode } from "react";

interface PanelProps {
  title: string;
  extra?: ReactNode;
  /** What it is among the others; on a narrow page they are put in another order. */
  kind?: string;
  children: ReactNode;
}

/** A part of the page with a heading. */
export function Panel({ title, extra, kind, children }: PanelProps) {
  return (
    <Card className={kind ? `job-panel job-${kind}-panel` : "job-panel"} styles={{ body: { padding: 20 } }}>
      <div className="job-panel-head">
        <h2>{title}</h2>
        {extra}
      </div>
      {children}
    </Card>
  );
}
