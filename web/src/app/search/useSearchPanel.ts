/** The part of the search that is loaded late: when the page has come to rest, or as soon as it is wanted. */
import type { LinkProps } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { SearchPanel as Panel } from "./SearchPanel";

/** Where the search leads to, or what it does. */
export type Chosen = Pick<LinkProps, "to" | "params" | "search"> | { run: () => void };

const REST_MS = 2000;

export function useSearchPanel(wanted: boolean): { SearchPanel: typeof Panel | null; isCut: boolean } {
  const [panel, setPanel] = useState<{ SearchPanel: typeof Panel } | null>(null);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    if (panel) return;
    let isOver = false;
    function load() {
      import("./SearchPanel")
        .then((loaded) => !isOver && setPanel(loaded))
        // It is tried again when it is next wanted.
        .catch(() => !isOver && setCut(true));
    }
    setCut(false);
    const timer = setTimeout(load, wanted ? 0 : REST_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [panel, wanted]);
  return { SearchPanel: panel?.SearchPanel ?? null, isCut };
}
