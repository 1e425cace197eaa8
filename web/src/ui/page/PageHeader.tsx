import type { ReactNode } from "react";
import { type TabMark, useTabTitle } from "./useTabTitle";
import "./PageHeader.css";

interface PageHeaderProps {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  /** What the browser's tab says, where that is not the title. */
  tab?: string;
  mark?: TabMark;
}

/** The title of a page, what it says about itself, and what can be done on it. */
export function PageHeader({ title, note, actions, tab, mark }: PageHeaderProps) {
  useTabTitle(tab ?? (typeof title === "string" ? title : undefined), mark);
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
