/** Requests that always end: with an answer, or when the server has been silent for too long. */

export const DEADLINE_MS = 30_000;
/** For what the server does on many jobs, or on other machines, before it answers. */
export const LONG_MS = 120_000;
/** For what begins only when the server has read or copied all of it. */
export const TRANSFER_MS = 600_000;

/** Chromium hands out a body for these, and refuses to make another answer of it. */
const BODILESS = new Set([204, 205, 304]);

export class Silence extends Error {
  constructor(
    readonly afterMs: number,
    readonly request: Request,
  ) {
    super(`no answer within ${afterMs} ms`);
  }
}

/** `fetch`, given up with `Silence` when nothing was heard for so long, before the answer or in the middle of it. */
export async function fetchInTime(request: Request, limitMs: number): Promise<Response> {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(() => late.abort(new Silence(limitMs, request)), limitMs);
  };
  const giveUp = () => late.abort(request.signal.reason);
  if (request.signal.aborted) giveUp();
  request.signal.addEventListener("abort", giveUp);
  const end = () => {
    clearTimeout(timer);
    request.signal.removeEventListener("abort", giveUp);
  };
  listen();
  try {
    const response = await fetch(request, { signal: late.signal });
    if (!response.body || BODILESS.has(response.status)) {
      end();
      return response;
    }
    return new Response(response.body.pipeThrough(watch(listen, end)), response);
  } catch (problem) {
    end();
    throw problem;
  }
}

function watch(onPiece: () => void, onEnd: () => void): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    start: onPiece,
    transform(piece, sender) {
      onPiece();
      sender.enqueue(piece as Uint8Array<ArrayBuffer>);
    },
    flush: onEnd,
  });
}

/** `api.POST(path, { ..., fetch: within(LONG_MS) })`: for what may take its time. */
export function within(limitMs: number): (request: Request) => Promise<Response> {
  return (request) => fetchInTime(request, limitMs);
}
