import { type ReactNode, useId } from "react";

interface SectionProps {
  title: string;
  hint?: ReactNode;
  children?: ReactNode;
}

/** One matter of a page: its title, what it is about, and what can be done. */
export function Section({ title, hint, children }: SectionProps) {
  const id = useId();
  return (
    <section className="admin-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint && <p className="admin-hint soft">{hint}</p>}
      {children}
    </section>
  );
}
