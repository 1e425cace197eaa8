import { DownOutlined, RightOutlined } from "@ant-design/icons";
import { type ReactNode, useId } from "react";
import { useWords } from "@/lib/i18n/language";
import { Mark } from "@/ui/look/Mark";
import { words } from "../words";
import "./Section.css";

interface SectionProps {
  /** What an address names it by, behind its '#'. */
  name: string;
  title: string;
  /** What is set in it, in one line, while it is closed. */
  summary: string;
  problems: number;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/** A part of the form that folds away, and says then what is in it. */
export function Section({ name, title, summary, problems, open, onToggle, children }: SectionProps) {
  const say = useWords(words);
  const id = useId();
  return (
    <section className="form-section" id={name} aria-labelledby={`${id}-title`}>
      <h2>
        <button
          type="button"
          className="form-section-head"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={onToggle}
        >
          {open ? <DownOutlined aria-hidden /> : <RightOutlined aria-hidden />}
          <span id={`${id}-title`} className="form-section-title">
            {title}
          </span>
          {!open && problems > 0 && <Mark tone="sick">{say("problems", { count: problems })}</Mark>}
          {!open && <span className="form-section-summary">{summary}</span>}
        </button>
      </h2>
      {open && (
        <div id={id} className="form-section-body">
          {children}
        </div>
      )}
    </section>
  );
}
