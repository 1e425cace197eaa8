import { useEffect, useState } from "react";
import { live } from "@/lib/live/connection";
import { useLive } from "@/lib/live/Live";
import { append, lastLines } from "./tail";

const LINES = 8;
const FROM_END = 4000;

/** The last lines of a job's log, as it grows. Begins with them anew when the connection broke. */
export function useLogTail(ref: string, attempt: number, enabled: boolean): string[] {
  const [lines, setLines] = useState<string[]>([]);
  const isBroken = useLive().connection === "broken";
  useEffect(() => {
    if (!enabled || isBroken) return;
    const decoder = new TextDecoder();
    let text = "";
    const leaving = new AbortController();
    const name = { job: ref, attempt, rank: 0, stream: "stdout" as const };
    void live()
      .followLog({ kind: "log", ...name, offset: -FROM_END }, leaving.signal)
      .then(async (stream) => {
        const reader = stream.getReader();
        while (true) {
          const { value, done } = await reader.read();
          if (done || value.event === "end") return;
          text = append(text, decoder.decode(value.bytes, { stream: true }));
          setLines(lastLines(text, LINES));
        }
      })
      // What cannot be followed is not shown; the job itself says how it fares.
      .catch(() => {});
    return () => leaving.abort();
  }, [ref, attempt, enabled, isBroken]);
  return lines;
}
