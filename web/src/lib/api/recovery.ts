/**
 * Tells what failed for want of a connection, or of a session, when it is there again.
 *
 * As long as a part of the page waits, the server is asked every few seconds whether it answers, and who we are to it. So errors
 * of that kind go by themselves wherever they are shown, whatever else the page knows of its connection.
 */
import { useEffect, useEffectEvent } from "react";
import { ApiError, fetchRaw } from "./client";

/** What is missing: the server does not answer, or does not know us. */
export type Lack = "server" | "session";

const PAUSE_MS = 2000;
/** What a proxy says while the server behind it is away. */
const GATEWAY = new Set(["http_502", "http_503", "http_504"]);

export function lackBehind(error: unknown): Lack | null {
  if (!(error instanceof ApiError)) return null;
  // Whether a change was made does not become clear by the server answering again.
  if (error.code === "maybe_done") return null;
  if (error.status === 0 || GATEWAY.has(error.code)) return "server";
  return error.status === 401 && error.code !== "wrong_password" ? "session" : null;
}

const waiting = new Set<{ lack: Lack; tell: () => void }>();
let _timer: ReturnType<typeof setTimeout> | undefined;

/** Calls once when what the error lacked is there; until then, or until the answer is called. */
export function whenRecovered(error: unknown, tell: () => void): () => void {
  const lack = lackBehind(error);
  if (!lack) return () => undefined;
  const entry = { lack, tell };
  waiting.add(entry);
  _timer ??= setTimeout(probe, PAUSE_MS);
  return () => void waiting.delete(entry);
}

/** The user has just signed in, which takes a server too. */
export function tellRecovered(...found: Lack[]): void {
  for (const entry of [...waiting]) {
    if (!found.includes(entry.lack)) continue;
    waiting.delete(entry);
    entry.tell();
  }
}

async function probe(): Promise<void> {
  try {
    await fetchRaw("/me");
    tellRecovered("server", "session");
  } catch (error) {
    if (lackBehind(error) !== "server") tellRecovered("server");
  }
  _timer = waiting.size > 0 ? setTimeout(probe, PAUSE_MS) : undefined;
}

/** Have something done once what the error lacked is there again. */
export function useRecovery(error: unknown, onRecovered: () => void): void {
  const tell = useEffectEvent(onRecovered);
  useEffect(() => whenRecovered(error, () => tell()), [error]);
}
