// biome-ignore-all lint/a11y/useSemanticElements: a table cannot have just the rows that are on screen.
import { useNavigate } from "@tanstack/react-router";
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useMe } from "@/app/session";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import type { AreaName } from "../address";
import { heightOf, topOf } from "../heights";
import type { JobPages } from "../pages/useJobPages";
import { Reorder } from "../reorder/Reorder";
import { boundsOf, movesFrom } from "../reorder/reordering";
import { useReordering } from "../reorder/useReordering";
import { type ActionName, mayTouch } from "../selection/selection";
import type { Selection } from "../selection/useSelection";
import { words } from "../words";
import { GridHead } from "./GridHead";
import { GridRow, type RowHandlers } from "./GridRow";
import { useHeights, useMeasures, useTopOf } from "./layout";
import { NewAbove } from "./NewAbove";
import { FULL_REASONS, reasonsOf } from "./reasons";
import { useGridKeys } from "./useGridKeys";
import { useRoving } from "./useRoving";
import { useStillness } from "./useStillness";
import "./JobGrid.css";
// Behind the one above: on a phone it says otherwise.
import "./JobCards.css";

interface JobGridProps {
  area: AreaName;
  pages: JobPages;
  selection: Selection;
  /** The list is the waiting line itself: places mean something. */
  isQueue: boolean;
  compact: boolean;
  onAct: (action: ActionName, jobs: readonly JobRow[]) => void;
  onOwner: (owner: string) => void;
}

/** Rows before and behind the window that are kept ready. */
const OVERSCAN = 8;

/** A list of any length, of which only what is on screen is in the page. */
export function JobGrid({ area, pages, selection, isQueue, compact, onAct, onOwner }: JobGridProps) {
  const say = useWords(words);
  const me = useMe();
  const navigate = useNavigate();
  const { rows, move, moveBy, told } = useReordering(pages);
  const refs = useMemo(() => rows.map(({ ref }) => ref), [rows]);
  const measures = useMeasures(compact);
  const { cards, rowHeight, covered } = measures;
  const body = useRef<HTMLDivElement>(null);
  const full = area === "waiting" && !cards ? Math.min(FULL_REASONS, rows.length) : 0;
  const heights = useHeights(body, full, rowHeight);
  const listTop = useTopOf(body);
  const { fresh, toTop } = useStillness(refs, listTop, heights, measures);
  const canMove = isQueue && me.role === "admin";

  /** How many rows shall be there before the keyboard goes to the last. */
  const [awaited, setAwaited] = useState(0);
  const active = useRef(0);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => heightOf(heights, index),
    getItemKey: (index) => refs[index] ?? index,
    overscan: OVERSCAN,
    scrollMargin: listTop,
    scrollPaddingStart: covered,
    scrollPaddingEnd: 88,
    // The row that has the focus stays in the page wherever the user scrolls.
    rangeExtractor: (range: Range) => withActive(defaultRangeExtractor(range), active.current, rows.length),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are as high as that.
  useLayoutEffect(() => virtual.measure(), [heights]);
  const reveal = useCallback((index: number) => virtual.scrollToIndex(index, { align: "auto" }), [virtual]);
  const roving = useRoving(refs, body, reveal);
  active.current = roving.activeIndex;

  const { range } = virtual;
  const { look } = pages;
  const [first, last] = [range?.startIndex ?? 0, range?.endIndex ?? 0];
  useEffect(() => look(first - OVERSCAN, last + 2 * OVERSCAN), [look, first, last]);

  const latest = useRef({ rows, onAct, onOwner, choose: selection.choose, moveBy });
  latest.current = { rows, onAct, onOwner, choose: selection.choose, moveBy };
  const { setActive } = roving;
  const handlers = useMemo<RowHandlers>(
    () => ({
      onOpen: ({ ref }) => void navigate({ to: "/jobs/$ref", params: { ref } }),
      onChoose: (job, extend) => latest.current.choose(job, extend),
      onActivate: ({ ref }) => setActive(ref),
      onOwner: (owner) => latest.current.onOwner(owner),
      onAct: (action, job) => latest.current.onAct(action, [job]),
      onMove: (job, where) => latest.current.moveBy(job, where),
    }),
    [navigate, setActive],
  );
  const onKeyDown = useGridKeys({
    roving,
    count: rows.length,
    pageRows: Math.max(1, Math.floor((window.innerHeight - covered) / rowHeight) - 1),
    onOpen: (index) => rows[index] && handlers.onOpen(rows[index]),
    onChoose(index, extend) {
      const [job, here] = [rows[index], rows[roving.activeIndex]];
      if (extend && here && selection.chosen.size === 0) selection.choose(here, false);
      if (job) selection.choose(job, extend);
    },
    onClear: selection.clear,
    onShift: canMove
      ? (index, by) => rows[index] && reveal(moveBy(rows[index], by < 0 ? "up" : "down"))
      : null,
    onEnd: () => void pages.leap().then(setAwaited),
  });
  const { focus } = roving;
  useEffect(() => {
    if (awaited === 0 || rows.length < awaited) return;
    setAwaited(0);
    focus(rows.length - 1);
  }, [awaited, rows.length, focus]);

  const lines = virtual.getVirtualItems().map((item) => {
    const job = rows[item.index];
    if (!job) return null;
    const theirs = mayTouch(me, job);
    const reasons = reasonsOf(job, isQueue);
    return (
      <GridRow
        key={job.ref}
        job={job}
        area={area}
        index={item.index}
        top={item.start - listTop}
        reasons={reasons}
        isFull={item.index < full && reasons !== ""}
        isActive={job.ref === roving.active}
        isChosen={selection.chosen.has(job.ref) || (selection.whole !== null && theirs)}
        isLast={item.index === rows.length - 1}
        mayTouch={theirs}
        canMove={canMove}
        moves={canMove ? movesOf(rows, item.index, pages.hasMore) : NO_MOVES}
        handlers={handlers}
      />
    );
  });
  const grid = (dropLine: ReactNode) => (
    <div
      role="grid"
      className={`jobs-grid jobs-grid-${area}${canMove ? " jobs-grid-movable" : ""}${compact && !cards ? " jobs-compact" : ""}${pages.isOld ? " jobs-grid-old" : ""}`}
      aria-label={say("table", { area: say(area) })}
      aria-rowcount={pages.hasMore ? -1 : rows.length + 1}
      aria-multiselectable
      aria-busy={pages.isOld}
      onKeyDown={onKeyDown}
    >
      <GridHead area={area} rows={rows} selection={selection} />
      <div role="rowgroup" ref={body} className="jobs-body" style={{ height: topOf(heights, rows.length) }}>
        {lines}
        {dropLine}
      </div>
    </div>
  );
  return (
    <div className="jobs-list">
      <NewAbove count={fresh} onClick={toTop} />
      {canMove ? (
        <Reorder rows={rows} heights={heights} listTop={listTop} onMove={move}>
          {grid}
        </Reorder>
      ) : (
        grid(null)
      )}
      <div className="only-heard" role="status">
        {told}
      </div>
    </div>
  );
}

const NO_MOVES: ReturnType<typeof movesFrom> = [];
const ALL_MOVES = movesFrom(1, [0, 2]);

/** The same array for all rows in the middle, so that they are not drawn again for it. */
function movesOf(rows: readonly JobRow[], index: number, hasMore: boolean) {
  const job = rows[index];
  if (!job) return NO_MOVES;
  // The end may be beyond what is loaded.
  const moves = movesFrom(index, boundsOf(rows, job, hasMore ? Infinity : rows.length));
  return moves.length === ALL_MOVES.length ? ALL_MOVES : moves;
}

function withActive(indexes: number[], active: number, count: number): number[] {
  if (active < 0 || active >= count || indexes.includes(active)) return indexes;
  return [...indexes, active].sort((a, b) => a - b);
}
