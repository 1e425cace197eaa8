/**
 * The backup that this tab is making. It lives outside of the page, so that looking at another one does not stop it.
 */
import { useSyncExternalStore } from "react";
import { answer, api, fetchRaw } from "@/lib/api/client";
import { TRANSFER_MS } from "@/lib/api/deadline";
import type { BackupRow } from "@/lib/api/schema";

export type BackupRun =
  | { state: "none" }
  | { state: "going"; bytes: number }
  | { state: "stopped" }
  | { state: "failed"; error: unknown }
  | { state: "done"; file: string; bytes: number; leftOut: BackupRow["left_out"] };

/** Pieces are handed to the browser in lumps of this size: it may keep those on its disk. */
const LUMP_BYTES = 8 * 1024 * 1024;

let run: BackupRun = { state: "none" };
let abort: AbortController | null = null;
const listeners = new Set<() => void>();

function become(next: BackupRun): void {
  run = next;
  for (const listener of listeners) listener();
}

export function useBackupRun(): BackupRun {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => run,
  );
}

/** `danlu-20261116-2004.tar.gz`, by the clock of the browser that saves it. */
export function nameOfFile(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  return `danlu-${day}-${two(at.getHours())}${two(at.getMinutes())}.tar.gz`;
}

export function stopBackup(): void {
  abort?.abort();
}

/** A user who closes the tab is asked first. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

export async function makeBackup(withLogs: boolean): Promise<void> {
  if (run.state === "going") return;
  abort = new AbortController();
  const file = nameOfFile(new Date());
  window.addEventListener("beforeunload", warn);
  become({ state: "going", bytes: 0 });
  try {
    const archive = await fetchArchive(withLogs, abort.signal);
    save(archive, file);
    const { left_out } = await answer(api.GET("/api/v1/backup"));
    become({ state: "done", file, bytes: archive.size, leftOut: left_out });
  } catch (error) {
    become(abort.signal.aborted ? { state: "stopped" } : { state: "failed", error });
  } finally {
    window.removeEventListener("beforeunload", warn);
  }
}

/** Throws ApiError when it is refused, and something else when it breaks off. */
async function fetchArchive(withLogs: boolean, signal: AbortSignal): Promise<Blob> {
  const asked = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ with_logs: withLogs }),
    signal,
  };
  const response = await fetchRaw("/backup", asked, TRANSFER_MS);
  const reader = response.body?.getReader();
  const lumps: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let lump = 0;
  let bytes = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    lump += value.length;
    bytes += value.length;
    become({ state: "going", bytes });
    if (lump < LUMP_BYTES) continue;
    lumps.push(new Blob(pieces));
    pieces = [];
    lump = 0;
  }
  return new Blob([...lumps, ...pieces], { type: "application/gzip" });
}

function save(archive: Blob, file: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(archive);
  link.download = file;
  link.click();
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
