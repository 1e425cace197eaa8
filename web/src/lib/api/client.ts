/** The one way to the server: typed by its own OpenAPI document, errors as `ApiError`. */
import createClient, { type Middleware } from "openapi-fetch";
import { currentLanguage } from "../i18n/language";
import { sayIn } from "../i18n/words";
import { asRead } from "./asRead";
import { DEADLINE_MS, fetchInTime, Silence, within } from "./deadline";
import type { Problem, paths } from "./schema";
import { words } from "./words";

/** Where the app lies; the server fills in <base>, so that it works below any path. */
export const BASE = new URL(".", document.baseURI);
export const API_ROOT = new URL("api/v1", BASE).href;

/** What went wrong, in the server's words. `status` 0: it could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }
  get code(): string {
    return this.problem.code;
  }
}

type Refused = (error: ApiError) => void;

let csrfToken: string | null = null;
let onSignedOut: Refused = () => {};

export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** Called whenever the server no longer knows who we are, or knows us from another session. */
export function whenSignedOut(listener: Refused): void {
  onSignedOut = listener;
}

/** The live connection was refused for want of a session. */
export function noteSignedOut(error: ApiError): void {
  onSignedOut(error);
}

function headers(): Record<string, string> {
  const all: Record<string, string> = { "Accept-Language": asRead(currentLanguage()) };
  if (csrfToken) all["X-CSRF-Token"] = csrfToken;
  return all;
}

async function refusal(response: Response): Promise<ApiError> {
  let problem: Problem = {
    code: `http_${response.status}`,
    message: response.statusText || String(response.status),
  };
  try {
    const body = await response.clone().json();
    if (typeof body?.message === "string") problem = body;
  } catch {
    // A proxy in between may answer with a page of its own.
  }
  return new ApiError(response.status, problem);
}

const SAFE_METHODS = new Set(["GET", "HEAD"]);

/** Why no answer came, or not all of it. */
function unanswered(cause: unknown): ApiError {
  const error = new ApiError(0, cause instanceof Silence ? silenceInWords(cause) : unreachable());
  error.cause = cause;
  return error;
}

function unreachable(): Problem {
  return { code: "unreachable", message: sayIn(currentLanguage(), words)("unreachable") };
}

/** A change that was not answered may have been made all the same. */
function silenceInWords({ afterMs, request }: Silence): Problem {
  const say = sayIn(currentLanguage(), words);
  const code = SAFE_METHODS.has(request.method) ? "no_answer" : "maybe_done";
  const hint = request.headers.has("Idempotency-Key") ? say("doneOnce") : undefined;
  return { code, message: say(code, { seconds: Math.round(afterMs / 1000) }), hint };
}

/** The caller no longer wants to know. */
function wasGivenUp(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "AbortError";
}

/** `fetch` of a path below the API, for bytes. Throws ApiError. */
export async function fetchRaw(
  path: string,
  init: RequestInit = {},
  limitMs: number = DEADLINE_MS,
): Promise<Response> {
  const request = new Request(`${API_ROOT}${path}`, { ...init, headers: { ...headers(), ...init.headers } });
  let response: Response;
  try {
    response = await fetchInTime(request, limitMs);
  } catch (cause) {
    if (wasGivenUp(cause)) throw cause;
    throw unanswered(cause);
  }
  if (!response.ok) {
    const error = await refusal(response);
    if (response.status === 401) onSignedOut(error);
    throw error;
  }
  return response;
}

const rules: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(headers())) request.headers.set(name, value);
    return request;
  },
  async onResponse({ response, schemaPath }) {
    if (response.ok) return;
    const error = await refusal(response);
    // A wrong password is no lost session; a wrong CSRF token is one of another session than the cookie's.
    const lost = response.status === 401 && error.code !== "wrong_password";
    if ((lost || error.code === "csrf") && !schemaPath.includes("/auth/")) onSignedOut(error);
    throw error;
  },
  onError({ error }) {
    if (error instanceof ApiError || wasGivenUp(error)) return error as Error;
    return unanswered(error);
  },
};

const client = createClient<paths>({
  baseUrl: new URL(BASE).href.replace(/\/$/, ""),
  fetch: within(DEADLINE_MS),
});
client.use(rules);
export const api = client;

/** The data of an answer that was not refused. Throws ApiError. */
export async function answer<T>(asked: Promise<{ data?: T }>): Promise<T> {
  try {
    return (await asked).data as T;
  } catch (cause) {
    if (cause instanceof ApiError || wasGivenUp(cause)) throw cause;
    // The answer began, and broke off.
    throw unanswered(cause);
  }
}
