// biome-ignore-all lint/a11y/useSemanticElements: a table cannot have just the rows that are on screen.
// biome-ignore-all lint/a11y/useFocusableInteractive: the row has the focus, not its cells.
import { useEffect, useRef } from "react";
import { useMe } from "@/app/session";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { maySubmit } from "@/lib/rights";
import { useVocabulary } from "@/lib/vocabulary-words";
import type { AreaName } from "../address";
import { COLUMNS } from "../cells/columns";
import { mayTouch } from "../selection/selection";
import type { Selection } from "../selection/useSelection";
import { words } from "../words";

interface GridHeadProps {
  area: AreaName;
  rows: readonly JobRow[];
  selection: Selection;
}

export function GridHead({ area, rows, selection }: GridHeadProps) {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const me = useMe();
  const box = useRef<HTMLInputElement>(null);
  const able = rows.filter((row) => mayTouch(me, row)).length;
  const here = selection.jobs.length - selection.gone;
  const all = able > 0 && here >= able;
  useEffect(() => {
    if (box.current) box.current.indeterminate = here > 0 && !all;
  }, [here, all]);
  return (
    <div role="rowgroup" className="jobs-head">
      <div role="row" className="jobs-columns" aria-rowindex={1}>
        <div role="columnheader" className="jobs-cell jobs-select">
          {maySubmit(me) && (
            <label className="jobs-check">
              <input
                ref={box}
                type="checkbox"
                checked={all}
                disabled={able === 0}
                aria-label={say("selectAll")}
                onChange={all ? selection.clear : selection.chooseAll}
              />
            </label>
          )}
        </div>
        {area === "waiting" && (
          <div role="columnheader" className="jobs-cell jobs-place">
            {say("place")}
          </div>
        )}
        <div role="columnheader" className="jobs-cell jobs-job">
          {vocabulary("label.job")}
        </div>
        <div role="columnheader" className="jobs-cell jobs-owner">
          {vocabulary("label.owner")}
        </div>
        {COLUMNS[area].map((column) => (
          <div key={column.name} role="columnheader" className={`jobs-cell jobs-${column.name}`}>
            {column.title(say, vocabulary)}
          </div>
        ))}
        <div role="columnheader" className="jobs-cell jobs-menu">
          <span className="only-heard">{say("actions")}</span>
        </div>
      </div>
    </div>
  );
}
