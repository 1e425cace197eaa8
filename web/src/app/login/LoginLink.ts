/** One-time links: their code stands behind a '#', which no server ever gets to see. */
import { answer, api } from "@/lib/api/client";
import type { Me } from "@/lib/api/schema";

/** The code in a link, or in what the user pasted of it; null when there is none. */
export function codeOf(text: string): string | null {
  const trimmed = text.trim();
  const written = /#login=([^#\s]+)$/.exec(trimmed)?.[1] ?? /^[\w-]{16,}$/.exec(trimmed)?.[0];
  if (!written) return null;
  try {
    return decodeURIComponent(written);
  } catch {
    return null;
  }
}

/** The code of the address, taken out of it before anything else can see it. */
export function takeCode(): string | null {
  const code = codeOf(window.location.hash);
  if (code) window.history.replaceState(null, "", window.location.pathname + window.location.search);
  return code;
}

export function signInByLink(code: string): Promise<Me> {
  return answer(api.POST("/api/v1/auth/link", { body: { code } }));
}
