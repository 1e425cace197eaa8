import type { Tone } from "./tones";
import "./Mark.css";

/** A dot and a word: never a colour alone. */
export function Mark({
  tone,
  children,
  pulse = false,
}: {
  tone: Tone;
  children: React.ReactNode;
  pulse?: boolean;
}) {
  return (
    <span className={`mark mark-${tone}${pulse ? " mark-pulse" : ""}`}>
      <i aria-hidden="true" />
      {children}
    </span>
  );
}
