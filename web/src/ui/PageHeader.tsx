import type { ReactNode } from "react";
import "./PageHeader.css";

/** The title of a page, what it says about itself, and what can be done on it. */
export function PageHeader({
  title,
  note,
  actions,
}: {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="page-header">
      <div className="page-header-words">
        <h1>{title}</h1>
        {note && <div className="soft">{note}</div>}
      </div>
      {actions && <div className="page-header-actions">{actions}</div>}
    </header>
  );
}
