/** Compact or comfortable rows: compact, where a mouse points at them, until the user chooses for this browser. */
import { useCallback, useState } from "react";

const KEY = "danlu.jobs.compact";

export function useCompactRows(): [boolean, (compact: boolean) => void] {
  const [compact, setCompact] = useState(isCompact);
  const choose = useCallback((wanted: boolean) => {
    localStorage.setItem(KEY, wanted ? "yes" : "no");
    setCompact(wanted);
  }, []);
  return [compact, choose];
}

function isCompact(): boolean {
  const chosen = localStorage.getItem(KEY);
  return chosen ? chosen === "yes" : !window.matchMedia("(pointer: coarse)").matches;
}
