import { useLocation } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { OPEN_AT_FIRST, type SectionName, sectionOfHash } from "../form/sections";

export interface OpenSections {
  isOpen(name: SectionName): boolean;
  toggle(name: SectionName): void;
  open(names: readonly SectionName[]): void;
}

/** Which sections are unfolded. An address like `/jobs/new#placement` opens that one and goes there. */
export function useOpenSections(): OpenSections {
  const asked = useLocation({ select: ({ hash }) => sectionOfHash(hash) });
  const [unfolded, setUnfolded] = useState<ReadonlySet<SectionName>>(new Set(OPEN_AT_FIRST));
  const open = useCallback(
    (names: readonly SectionName[]) => setUnfolded((now) => new Set([...now, ...names])),
    [],
  );
  useEffect(() => {
    if (!asked) return;
    open([asked]);
    document.getElementById(asked)?.scrollIntoView();
  }, [asked, open]);
  const toggle = useCallback(
    (name: SectionName) =>
      setUnfolded((now) => {
        const next = new Set(now);
        if (!next.delete(name)) next.add(name);
        return next;
      }),
    [],
  );
  return { isOpen: (name) => unfolded.has(name), toggle, open };
}
