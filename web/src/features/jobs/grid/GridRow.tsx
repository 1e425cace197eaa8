// biome-ignore-all lint/a11y/useSemanticElements: a table cannot have just the rows that are on screen.
// biome-ignore-all lint/a11y/useFocusableInteractive: the row has the focus, not its cells.
import { memo } from "react";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { RowMenu } from "../actions/RowMenu";
import type { AreaName } from "../address";
import { NameCell } from "../cells/cells";
import { COLUMNS } from "../cells/columns";
import { DragHandle } from "../reorder/Reorder";
import type { MoveName } from "../reorder/reordering";
import type { ActionName } from "../selection/selection";
import { words } from "../words";

export interface RowHandlers {
  onOpen: (job: JobRow) => void;
  onChoose: (job: JobRow, extend: boolean) => void;
  onActivate: (job: JobRow) => void;
  onOwner: (owner: string) => void;
  onAct: (action: ActionName, job: JobRow) => void;
  onMove: (job: JobRow, move: MoveName) => void;
}

interface GridRowProps {
  job: JobRow;
  area: AreaName;
  index: number;
  top: number;
  /** Why it waits, as far as that is worth saying here. */
  reasons: string;
  /** They are shown whole, however many lines that takes. */
  isFull: boolean;
  isActive: boolean;
  isChosen: boolean;
  isLast: boolean;
  mayTouch: boolean;
  canMove: boolean;
  moves: readonly MoveName[];
  handlers: RowHandlers;
}

/** What reacts to a click by itself; everything else in a row opens the job. */
const CONTROLS = "a, button, input, label";

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const {
    job,
    area,
    index,
    top,
    reasons,
    isFull,
    isActive,
    isChosen,
    isLast,
    mayTouch,
    canMove,
    moves,
    handlers,
  } = props;
  const say = useWords(words);
  const tabIndex = isActive ? 0 : -1;
  const { ref, name, owner } = job;

  function onClick(event: React.MouseEvent) {
    if (!(event.target instanceof Element) || event.target.closest(CONTROLS)) return;
    // A menu that hangs on the row is not inside of it.
    if (!event.currentTarget.contains(event.target)) return;
    if (event.shiftKey || event.ctrlKey || event.metaKey) handlers.onChoose(job, event.shiftKey);
    else if (!window.getSelection()?.toString()) handlers.onOpen(job);
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys of all rows.
    <div
      role="row"
      className={`jobs-line jobs-columns${isChosen ? " jobs-chosen" : ""}${isLast ? " jobs-last" : ""}${isFull ? " jobs-full" : ""}`}
      style={{ transform: `translateY(${top}px)` }}
      data-ref={ref}
      aria-rowindex={index + 2}
      aria-selected={mayTouch ? isChosen : undefined}
      tabIndex={tabIndex}
      onClick={onClick}
      onFocus={() => handlers.onActivate(job)}
    >
      <div role="gridcell" className="jobs-cell jobs-select">
        {mayTouch && (
          <label className="jobs-check touch">
            <input
              type="checkbox"
              checked={isChosen}
              tabIndex={tabIndex}
              aria-label={say("selectJob", { ref, name })}
              onClick={(event) => handlers.onChoose(job, event.shiftKey)}
              onChange={ignore}
            />
          </label>
        )}
      </div>
      {area === "waiting" && (
        <div role="gridcell" className="jobs-cell jobs-place number">
          {canMove && <DragHandle job={job} tabIndex={tabIndex} />}
          <span title={job.place == null ? say("noPlace") : undefined}>{job.place ?? "–"}</span>
        </div>
      )}
      <div role="gridcell" className="jobs-cell jobs-job">
        <NameCell job={job} reasons={reasons} tabIndex={tabIndex} />
      </div>
      <div role="gridcell" className="jobs-cell jobs-owner">
        <button
          type="button"
          className="jobs-owner-button"
          tabIndex={tabIndex}
          title={say("onlyOwner", { owner })}
          onClick={() => handlers.onOwner(owner)}
        >
          {owner}
        </button>
      </div>
      {COLUMNS[area].map((column) => (
        <div key={column.name} role="gridcell" className={`jobs-cell jobs-${column.name}`}>
          {column.show(job)}
        </div>
      ))}
      <div role="gridcell" className="jobs-cell jobs-menu">
        <RowMenu
          job={job}
          tabIndex={tabIndex}
          mayTouch={mayTouch}
          moves={moves}
          onAct={handlers.onAct}
          onMove={handlers.onMove}
        />
      </div>
    </div>
  );
});

/** React wants a listener beside `checked`; the click has told more than a change could: whether shift was held. */
function ignore() {}
