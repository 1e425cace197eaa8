import type { ReactNode } from "react";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";
import "./Loading.css";

interface LoadingProps {
  /** About as many lines as will be there. */
  lines?: number;
  className?: string;
  /** Drawn instead of lines. */
  children?: ReactNode;
}

/** Something is on its way. Said to those who listen, and drawn only where it takes a moment. */
export function Loading({ lines = 4, className, children }: LoadingProps) {
  const say = useWords(words);
  return (
    <div role="status" aria-busy="true" className={className ? `loading ${className}` : "loading"}>
      <span className="only-heard">{say("loading")}</span>
      <div className="loading-drawn" aria-hidden="true">
        {children ?? <Lines count={lines} />}
      </div>
    </div>
  );
}

function Lines({ count }: { count: number }) {
  return (
    <div className="loading-lines">
      {Array.from({ length: count }, (_, line) => (
        <i key={line} />
      ))}
    </div>
  );
}
