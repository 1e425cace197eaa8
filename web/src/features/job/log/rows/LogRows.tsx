import {
  type CSSProperties,
  memo,
  type ReactNode,
  useCallback,
  useLayoutEffect,
  useReducer,
  useRef,
  useSyncExternalStore,
} from "react";
import { useWords } from "@/lib/i18n/language";
import type { LogStore } from "../follow/store";
import { isMarked, lineNumber, type Mark } from "../mark/mark";
import type { Place } from "../search/useLogSearch";
import { MOST_COLUMNS, type Row } from "../text/lines";
import { firstAround, indexAt, isNear, lastSlice, movedFirst, type Slice, sliceFrom } from "../text/slice";
import { type Sample, whenWritten } from "../times/times";
import { words } from "../words";
import { LogRow } from "./LogRow";

interface LogRowsProps {
  store: LogStore;
  wrap: boolean;
  wanted: string;
  /** The byte that the user searched for. */
  current: number | null;
  onPlace: (place: Place) => void;
  /** What is said below the last row. */
  footer: ReactNode;
  mark: Mark | null;
  /** The number of a line was clicked. */
  onPick: (row: Row, isRange: boolean) => void;
  /** Tell when the rows were written, where that is wanted. */
  samples: readonly Sample[] | null;
  /** Drawn anew together with the card that becomes larger or smaller, so that what is looked at stays in place. */
  isFull: boolean;
}

/** Nearer to the bottom than this is at the bottom. */
const AT_BOTTOM_PX = 4;
/** A finger that moves less does not scroll. */
const TOUCH_PX = 6;
/** So much is read by itself to fill the screen, and ahead of a user who scrolls. */
const FILL_BYTES = 1024 * 1024;
const AHEAD_BYTES = 96 * 1024;
/** So many digits have room beside the rows, so that these are seldom moved as numbers grow. */
const FEWEST_DIGITS = 3;

interface Anchor {
  offset: string;
  top: number;
}

/** The rows of a log that are near to what can be seen. The page holds a few hundred of them, whatever its size. */
export const LogRows = memo(function LogRows({
  store,
  wrap,
  wanted,
  current,
  onPlace,
  footer,
  mark,
  onPick,
  samples,
}: LogRowsProps) {
  const say = useWords(words);
  const state = useSyncExternalStore(store.subscribe, () => store.state);
  const { rows, pinned, target } = state;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const first = useRef(0);
  const reached = useRef(0);
  const lastTop = useRef(0);
  const touchedAt = useRef(0);
  const [, again] = useReducer((n: number) => n + 1, 0);

  const isNewTarget = target !== null && target.number !== reached.current;
  let slice: Slice;
  if (isNewTarget) {
    first.current = firstAround(rows, indexAt(rows, target.offset));
    slice = sliceFrom(rows, first.current);
  } else if (pinned) {
    slice = lastSlice(rows);
    first.current = rows[slice.from]?.offset ?? 0;
  } else slice = sliceFrom(rows, first.current);
  // Read before the rows change, so that what is looked at can be put back where it was.
  const anchor = pinned || isNewTarget ? null : readAnchor(box.current, list.current);
  const shown = useRef({ slice, rows });
  shown.current = { slice, rows };

  const look = useCallback(() => {
    const [element, rowsElement] = [box.current, list.current];
    if (!element || !rowsElement) return;
    const { slice, rows } = shown.current;
    const { scrollTop, clientHeight, scrollHeight } = element;
    const goesDown = scrollTop > lastTop.current;
    const goesUp = scrollTop < lastTop.current - 1;
    lastTop.current = scrollTop;
    const isBottom = scrollHeight - scrollTop - clientHeight <= AT_BOTTOM_PX;
    if (store.state.pinned && goesUp && !isBottom) store.pause();
    else if (goesDown && !store.state.pinned) store.showOn();
    const fills = scrollHeight > clientHeight + 1;
    const [firstSeen, lastSeen] = seen(rowsElement, scrollTop, scrollTop + clientHeight).map(
      (n) => slice.from + n,
    ) as [number, number];
    const [top, bottom] = [
      rows[firstSeen]?.offset ?? store.state.start,
      rows[lastSeen]?.end ?? store.state.end,
    ];
    onPlace({ top, bottom });
    store.lookAt(top, bottom);
    if (!store.state.pinned) {
      const moved = movedFirst(rows, slice, firstSeen, lastSeen);
      if (moved !== null && moved !== first.current) {
        first.current = moved;
        again();
        return;
      }
    }
    const { start, end } = store.state;
    const isFull = fills || end - start > FILL_BYTES;
    if (slice.from === 0 && (isFull ? fills && isNear(firstSeen) && top - start < AHEAD_BYTES : true))
      store.needUp();
    if (slice.to === rows.length && isNear(rows.length - 1 - lastSeen) && end - bottom < AHEAD_BYTES) {
      if (!store.atEnd) void store.needDown();
      else if (!store.state.pinned && goesDown && isBottom) void store.toEnd();
    }
  }, [store, onPlace]);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (isNewTarget) {
      reached.current = target.number;
      const row = list.current?.children[indexAt(rows, target.offset) - slice.from] as
        | HTMLElement
        | undefined;
      if (row) element.scrollTop = row.offsetTop - element.clientHeight / 3;
    } else if (pinned) element.scrollTop = element.scrollHeight;
    else if (anchor) putBack(element, list.current, anchor);
    lastTop.current = element.scrollTop;
    look();
  });

  // A wider or narrower page folds lines anew.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      if (store.state.pinned) element.scrollTop = element.scrollHeight;
      look();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [store, look]);

  /** At once, and not only when the browser has scrolled: a log that grows fast would be quicker. */
  function goUp() {
    const element = box.current;
    if (!element) return;
    if (element.scrollHeight > element.clientHeight + 1 || !store.atStart) store.pause();
    if (element.scrollTop === 0) store.needUp();
  }

  const onMore = useCallback(
    (row: Row) => {
      store.pause();
      const drawn = row.spans.reduce((sum, { text }) => sum + text.length, 0);
      void store.expand(row, Math.max(drawn, MOST_COLUMNS) * 8);
    },
    [store],
  );

  const firstNumber = lineNumber(state, slice.from);
  const lastNumber = lineNumber(state, rows.length - 1) ?? firstNumber ?? 0;
  const numbers = slicedNumbers(rows.slice(slice.from, slice.to), firstNumber, state.cut?.[1]);
  const digits = Math.max(FEWEST_DIGITS, String(lastNumber).length);
  const currentRow = current === null ? -1 : indexAt(rows, current);
  return (
    <section
      ref={box}
      className={`log-box${wrap ? " log-box-wrap" : ""}${samples ? " log-box-times" : ""}`}
      aria-label={say("logText")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      id="log-text"
      style={{ "--log-digits": digits } as CSSProperties}
      onScroll={look}
      onWheel={(event) => {
        if (event.deltaY < 0) goUp();
        else if (event.deltaY > 0 && !store.state.pinned) store.showOn();
      }}
      onTouchStart={(event) => {
        touchedAt.current = event.touches[0]?.clientY ?? 0;
      }}
      onTouchMove={(event) => {
        const moved = (event.touches[0]?.clientY ?? 0) - touchedAt.current;
        if (moved > TOUCH_PX) goUp();
        else if (moved < -TOUCH_PX && !store.state.pinned) store.showOn();
      }}
      onMouseDown={(event) => {
        // Shift+click marks lines; it does not select their text.
        if (pickedOffset(event.target) !== null) event.preventDefault();
      }}
      onClick={(event) => {
        const offset = pickedOffset(event.target);
        const row = offset === null ? undefined : rows[indexAt(rows, offset)];
        if (row) onPick(row, event.shiftKey);
      }}
      onMouseUp={() => {
        // Text that is being copied does not run away.
        if (!window.getSelection()?.isCollapsed) store.pause();
      }}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "Home") void store.goTo(0);
        else if (event.key === "End") void store.toEnd();
        else {
          if (event.key === "PageUp" || event.key === "ArrowUp") goUp();
          else if (["PageDown", "ArrowDown", " "].includes(event.key) && !store.state.pinned) store.showOn();
          return;
        }
        event.preventDefault();
      }}
    >
      <div ref={list} className="log-rows">
        {rows.slice(slice.from, slice.to).map((row, at) => (
          <LogRow
            key={row.offset}
            row={row}
            wanted={wanted}
            isCurrent={slice.from + at === currentRow}
            isMarked={mark !== null && isMarked(row, mark)}
            number={numbers[at] ?? null}
            onMore={onMore}
            {...(samples && whenWritten(samples, row.end))}
          />
        ))}
      </div>
      {slice.to === rows.length && footer}
    </section>
  );
});

/** The numbers of these rows' lines, given that of the first; none of what goes on, and behind what was cut out. */
function slicedNumbers(rows: readonly Row[], first: number | null, cutTo = Number.POSITIVE_INFINITY) {
  let number = first ?? 0;
  return rows.map((row, at) => {
    if (at > 0 && !row.isMid) number += 1;
    return first === null || row.isMid || row.offset >= cutTo ? null : number;
  });
}

/** Where the row begins whose number this is. */
function pickedOffset(target: EventTarget): number | null {
  const number = target instanceof Element ? target.closest(".log-row-number") : null;
  return number ? Number(number.parentElement?.dataset.offset) : null;
}

/** Which children of the list lie between two heights. */
function seen(list: HTMLElement, top: number, bottom: number): [number, number] {
  const first = lastAbove(list, top);
  return [first, Math.max(first, lastAbove(list, bottom - 1))];
}

/** The last child that begins at this height or above. */
function lastAbove(list: HTMLElement, height: number): number {
  const { children } = list;
  let [low, high] = [0, children.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((children[middle] as HTMLElement).offsetTop <= height) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

function readAnchor(box: HTMLElement | null, list: HTMLElement | null): Anchor | null {
  if (!box || !list || list.children.length === 0) return null;
  const child = list.children[lastAbove(list, box.scrollTop)] as HTMLElement;
  return { offset: child.dataset.offset ?? "", top: child.offsetTop - box.scrollTop };
}

function putBack(box: HTMLElement, list: HTMLElement | null, anchor: Anchor): void {
  const child = list?.querySelector<HTMLElement>(`[data-offset="${anchor.offset}"]`);
  if (child && child.offsetTop - box.scrollTop !== anchor.top) box.scrollTop = child.offsetTop - anchor.top;
}
