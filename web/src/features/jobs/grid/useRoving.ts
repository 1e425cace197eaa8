import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { successorOf } from "./anchor";

export interface Roving {
  /** The row that the keyboard is on: the one that Tab reaches. */
  active: string | null;
  activeIndex: number;
  setActive: (ref: string) => void;
  /** Move the keyboard to another row. */
  focus: (index: number) => void;
}

/** One row at a time can be reached by Tab; the arrows go from row to row. It survives changes of the list. */
export function useRoving(
  refs: readonly string[],
  body: RefObject<HTMLElement | null>,
  reveal: (index: number) => void,
): Roving {
  const [wished, setActive] = useState<string | null>(null);
  const place = useRef(0);
  const pending = useRef(false);
  const isInside = useRef(false);
  const active = successorOf(refs, wished, place.current);
  const activeIndex = active === null ? -1 : refs.indexOf(active);
  place.current = Math.max(activeIndex, 0);

  useEffect(() => {
    function onFocus({ target }: FocusEvent) {
      isInside.current = target instanceof Node && Boolean(body.current?.contains(target));
    }
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, [body]);

  useLayoutEffect(() => {
    function take() {
      body.current?.querySelector<HTMLElement>(`[data-ref="${active}"]`)?.focus({ preventScroll: true });
    }
    if (pending.current) {
      pending.current = false;
      take();
      reveal(activeIndex);
    } else if (active !== wished && isInside.current && document.activeElement === document.body) {
      // The row that had the focus has left the list: the row in its place has it now.
      take();
    }
  });

  const focus = useCallback(
    (index: number) => {
      const ref = refs[Math.min(Math.max(index, 0), refs.length - 1)];
      if (ref === undefined) return;
      pending.current = ref !== wished;
      setActive(ref);
      if (ref === wished) reveal(index);
    },
    [refs, reveal, wished],
  );
  return { active, activeIndex, setActive, focus };
}
