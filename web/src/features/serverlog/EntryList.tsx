import { DownOutlined } from "@ant-design/icons";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Button } from "antd";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ServerLogEntry } from "@/lib/api/schema";
import { useNow } from "@/lib/clock";
import { useWords } from "@/lib/i18n/language";
import { EntryRow } from "./EntryRow";
import { words } from "./words";

const ROW_PX = 28;
/** This near to an end counts as being there. */
const NEAR_PX = 40;

interface EntryListProps {
  entries: readonly ServerLogEntry[];
  more: boolean;
  loadOlder: () => Promise<void>;
}

/** Only what is in sight is in the page. Stays at the newest while one is there, and where one is otherwise. */
export function EntryList({ entries, more, loadOlder }: EntryListProps) {
  const say = useWords(words);
  const now = useNow();
  const box = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: 20,
  });

  // Newer entries push nothing away; older ones that come in above push what is in sight down, unseen.
  const first = entries[0]?.id;
  const before = useRef({ first, count: entries.length });
  useLayoutEffect(() => {
    const { first: old, count } = before.current;
    before.current = { first, count: entries.length };
    if (old !== undefined && first !== undefined && first < old) {
      const added = entries.findIndex(({ id }) => id === old);
      if (added > 0 && count > 0) rows.scrollToIndex(added, { align: "start" });
    }
  }, [entries, first, rows]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new entry moves the end.
  useEffect(() => {
    if (atEnd && entries.length > 0) rows.scrollToIndex(entries.length - 1, { align: "end" });
  }, [atEnd, entries.at(-1)?.id, rows]);

  function look() {
    const element = box.current;
    if (!element) return;
    setAtEnd(element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX);
    if (element.scrollTop < NEAR_PX && more) void loadOlder();
  }

  return (
    <div className="serverlog-frame">
      <div
        ref={box}
        className="serverlog-box"
        role="log"
        aria-label={say("entries")}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onScroll={look}
      >
        <p className="serverlog-begin">{say(more ? "loadingOlder" : "beginning")}</p>
        <div style={{ height: rows.getTotalSize(), position: "relative" }}>
          {rows.getVirtualItems().map((row) => {
            const entry = entries[row.index];
            return (
              entry && (
                <div
                  key={row.key}
                  ref={rows.measureElement}
                  data-index={row.index}
                  className="serverlog-row"
                  style={{ transform: `translateY(${row.start}px)` }}
                >
                  <EntryRow entry={entry} now={now} />
                </div>
              )
            );
          })}
        </div>
      </div>
      {!atEnd && (
        <Button
          className="serverlog-newest"
          shape="round"
          icon={<DownOutlined />}
          onClick={() => setAtEnd(true)}
        >
          {say("toNewest")}
        </Button>
      )}
    </div>
  );
}
