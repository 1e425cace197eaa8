import { useRef, useState } from "react";
import { formatBytes } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import type { Place } from "../search/useLogSearch";
import { words } from "../words";

interface LogScrollbarProps {
  size: number;
  place: Place;
  /** Where something was found. */
  marks: readonly number[];
  onGo: (offset: number) => void;
}

const DRAG_MS = 150;
const MOST_MARKS = 200;

/** The whole log from top to bottom, by bytes: where we are in it, where matches are, and a way to go anywhere. */
export function LogScrollbar({ size, place, marks, onGo }: LogScrollbarProps) {
  const say = useWords(words);
  const track = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [held, setHeld] = useState<number | null>(null);
  const seen = Math.max(0, place.bottom - place.top);
  const length = size > 0 ? Math.min(1, Math.max(seen / size, 0.04)) : 1;
  const range = Math.max(1, size - seen);
  const share = held ?? Math.min(1, Math.max(0, place.top / range));

  function shareAt(clientY: number): number {
    const box = track.current?.getBoundingClientRect();
    if (!box) return 0;
    return Math.min(1, Math.max(0, (clientY - box.top) / box.height));
  }

  function drag(clientY: number, isLast: boolean) {
    const where = shareAt(clientY);
    setHeld(isLast ? null : where);
    clearTimeout(timer.current);
    // On the way only now and then: a log is read where one stops.
    timer.current = setTimeout(() => onGo(Math.round(where * range)), isLast ? 0 : DRAG_MS);
  }

  return (
    <div
      ref={track}
      className={seen >= size ? "log-scrollbar log-scrollbar-idle" : "log-scrollbar"}
      role="scrollbar"
      aria-controls="log-text"
      aria-orientation="vertical"
      aria-label={say("position")}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={say("positionOf", { at: formatBytes(share * range), size: formatBytes(size) })}
      tabIndex={-1}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag(event.clientY, false);
      }}
      onPointerMove={(event) => held !== null && drag(event.clientY, false)}
      onPointerUp={(event) => held !== null && drag(event.clientY, true)}
      onPointerCancel={() => setHeld(null)}
    >
      {thinned(marks).map((mark) => (
        <i
          key={mark}
          className="log-scrollbar-mark"
          style={{ top: `${(mark / Math.max(1, size)) * 100}%` }}
        />
      ))}
      <div
        className="log-scrollbar-thumb"
        style={{ height: `${length * 100}%`, top: `${share * (1 - length) * 100}%` }}
      />
      {held !== null && (
        <div className="log-scrollbar-hint" style={{ top: `${share * 100}%` }}>
          {formatBytes(share * range)}
        </div>
      )}
    </div>
  );
}

function thinned(marks: readonly number[]): readonly number[] {
  const step = Math.ceil(marks.length / MOST_MARKS);
  return step <= 1 ? marks : marks.filter((_, at) => at % step === 0);
}
