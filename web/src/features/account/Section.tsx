import { type ReactNode, useId } from "react";

/** One matter of the account: its title, what it is about, and what can be done. */
export function Section({
  title,
  hint,
  action,
  children,
}: {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="account-section" aria-labelledby={id}>
      <header className="account-section-top">
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {hint && <p className="account-section-hint soft">{hint}</p>}
      {children}
    </section>
  );
}
