/** The requests that the hub makes. Knows no page: it runs in a worker too. */
import { asRead } from "../api/asRead";
import type { LiveChange, LiveChannel, Problem } from "../api/schema";
import type { Session } from "./messages";

/** What the server answered instead. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }
}

export interface ServerConnection {
  /** The one stream, with the channels that it begins with. */
  open(session: Session, channels: LiveChannel[], signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  change(session: Session, stream: string, change: LiveChange): Promise<void>;
  /** The token of the session that the browser has now. */
  token(session: Session): Promise<string | null>;
}

/** A server that is there answers such small questions at once. */
const DEADLINE_MS = 20_000;

async function ask({ root, csrf, language }: Session, path: string, init: RequestInit): Promise<Response> {
  const headers = {
    "Accept-Language": asRead(language),
    "X-CSRF-Token": csrf,
    "Content-Type": "application/json",
  };
  const response = await fetch(`${root}${path}`, { ...init, headers });
  if (response.ok) return response;
  let problem: Problem = { code: `http_${response.status}`, message: response.statusText };
  try {
    problem = await response.json();
  } catch {
    // A proxy in between may answer with a page of its own.
  }
  throw new Refusal(response.status, problem);
}

function soon<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), DEADLINE_MS);
  return work(late.signal).finally(() => clearTimeout(timer));
}

export const serverConnection: ServerConnection = {
  async open(session, channels, signal) {
    const { body } = await ask(session, "/live", {
      method: "POST",
      body: JSON.stringify({ channels }),
      signal,
    });
    if (!body) throw new Error("an answer without a body");
    return body;
  },
  async change(session, stream, change) {
    const body = JSON.stringify(change);
    await soon((signal) => ask(session, `/live/${stream}/channels`, { method: "POST", body, signal }));
  },
  token: (session) =>
    soon(async (signal) => {
      const me = await (await ask(session, "/me", { signal })).json();
      return me.csrf_token ?? null;
    }),
};
