/** The queue, put into another order by hand. */
import { HolderOutlined } from "@ant-design/icons";
import {
  DndContext,
  type DragEndEvent,
  type DragMoveEvent,
  DragOverlay,
  type DragStartEvent,
  PointerSensor,
  useDraggable,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { type ReactNode, useRef, useState } from "react";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { gapAt, type Heights, topOf } from "../heights";
import { words } from "../words";
import { boundsOf, placeAfter, within } from "./reordering";
import "./Reorder.css";

export function DragHandle({ job, tabIndex }: { job: JobRow; tabIndex: number }) {
  const say = useWords(words);
  const { listeners, setNodeRef } = useDraggable({ id: job.ref });
  return (
    <button
      ref={setNodeRef}
      type="button"
      className="drag-handle touch"
      tabIndex={tabIndex}
      aria-label={say("drag", { ref: job.ref, name: job.name })}
      title={say("dragHint")}
      {...listeners}
    >
      <HolderOutlined aria-hidden />
    </button>
  );
}

interface ReorderProps {
  rows: readonly JobRow[];
  heights: Heights;
  /** Where the first row begins, from the top of the page. */
  listTop: number;
  onMove: (job: JobRow, to: number) => void;
  children: (dropLine: ReactNode) => ReactNode;
}

export function Reorder({ rows, heights, listTop, onMove, children }: ReorderProps) {
  const say = useWords(words);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const [dragged, setDragged] = useState<JobRow | null>(null);
  const [gap, setGap] = useState<number | null>(null);
  const grabbed = useRef(0);

  function onDragStart({ active, activatorEvent }: DragStartEvent) {
    grabbed.current = (activatorEvent as PointerEvent).clientY + window.scrollY;
    setDragged(rows.find(({ ref }) => ref === active.id) ?? null);
  }
  function gapOf({ delta }: DragMoveEvent | DragEndEvent): number {
    const gap = gapAt(heights, grabbed.current + delta.y - listTop, rows.length);
    if (!dragged) return gap;
    const [first, last] = boundsOf(rows, dragged, rows.length);
    return within([first, last + 1], gap);
  }
  function release() {
    setDragged(null);
    setGap(null);
  }
  function onDragEnd(event: DragEndEvent) {
    const gap = gapOf(event);
    release();
    const from = rows.findIndex(({ ref }) => ref === event.active.id);
    const job = rows[from];
    const to = placeAfter(from, gap);
    if (job && to !== from) onMove(job, to);
  }
  return (
    <DndContext
      sensors={sensors}
      onDragStart={onDragStart}
      onDragMove={(event) => setGap(gapOf(event))}
      onDragCancel={release}
      onDragEnd={onDragEnd}
      accessibility={{
        screenReaderInstructions: { draggable: say("dragHint") },
        announcements: {
          onDragStart: ({ active }) => say("moving", { ref: String(active.id), place: "…" }),
          onDragOver: () => undefined,
          onDragEnd: () => undefined,
          onDragCancel: ({ active }) => say("notMoved", { ref: String(active.id) }),
        },
      }}
    >
      {children(
        gap !== null && dragged ? (
          <div className="drop-line" style={{ top: topOf(heights, gap) }} aria-hidden />
        ) : null,
      )}
      <DragOverlay dropAnimation={null} style={{ width: "auto", height: "auto" }}>
        {dragged && (
          <div className="drag-ghost">
            <span className="mono soft">{dragged.ref}</span> {dragged.name}
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}
