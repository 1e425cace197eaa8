import { useEffect, useState } from "react";
import { API_ROOT } from "@/lib/api/client";
import { append, lastLines } from "./tail";

const LINES = 8;
const FROM_END = 4000;

/** The last lines of a job's log, as it grows. Resumes by itself where the connection broke. */
export function useLogTail(ref: string, attempt: number, enabled: boolean): string[] {
  const [lines, setLines] = useState<string[]>([]);
  useEffect(() => {
    if (!enabled) return;
    const decoder = new TextDecoder();
    let text = "";
    const source = new EventSource(
      `${API_ROOT}/jobs/${encodeURIComponent(ref)}/log/follow?attempt=${attempt}&offset=-${FROM_END}`,
    );
    source.addEventListener("chunk", (message: MessageEvent<string>) => {
      const { base64 }: { base64: string } = JSON.parse(message.data);
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      text = append(text, decoder.decode(bytes, { stream: true }));
      setLines(lastLines(text, LINES));
    });
    source.addEventListener("end", () => source.close());
    return () => source.close();
  }, [ref, attempt, enabled]);
  return lines;
}
