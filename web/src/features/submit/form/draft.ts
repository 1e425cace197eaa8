/**
 * A half-filled form, kept while the tab lives: through a reload, a crash, a session's end.
 *
 * Never longer than that: variables may be secrets, and local storage outlives the session.
 */
import { FIELD_NAMES, type JobForm } from "./jobForm";

export interface Draft {
  form: JobForm;
  /** Under which the form is submitted, so that what was sent before the reload is not submitted twice. */
  key: string;
}

const PREFIX = "danlu.draft:";

/** One for each user and address: a user who signs in after another finds nothing of theirs. */
export function draftPlace(user: string, address: string): string {
  return `${PREFIX}${user}:${address}`;
}

export function readDraft(place: string, base: JobForm): Draft | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(place) ?? "null");
    if (!isDraft(kept)) return null;
    // A draft of an older version may lack fields, or have some that are gone.
    const form = Object.fromEntries(
      FIELD_NAMES.map((name) => {
        const [value, usual] = [kept.form[name], base[name]];
        const isAuto = name === "gpus" && (value === "auto" || usual === "auto");
        return [name, (isAuto ? fitsCount(value) : fits(value, usual)) ? value : usual];
      }),
    );
    return { form: form as unknown as JobForm, key: kept.key };
  } catch {
    return null;
  }
}

export function writeDraft(place: string, draft: Draft): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(draft));
  } catch {
    // Full, or forbidden by the browser: the form works without.
  }
}

export function dropDraft(place: string): void {
  try {
    sessionStorage.removeItem(place);
  } catch {
    // As above.
  }
}

function isDraft(kept: unknown): kept is Draft {
  const draft = kept as Draft | null;
  return typeof draft?.key === "string" && typeof draft.form === "object" && draft.form !== null;
}

/** Whether a kept value is of the kind that the form has there; null stands for a number or a list left open. */
function fits(kept: unknown, base: unknown): boolean {
  if (kept === undefined) return false;
  if (kept === null || base === null) return kept === null || typeof kept === "number" || Array.isArray(kept);
  return typeof kept === typeof base && Array.isArray(kept) === Array.isArray(base);
}

/** Whether it is a number, one left open, or one left to Danlu. */
function fitsCount(kept: unknown): boolean {
  return kept === null || kept === "auto" || typeof kept === "number";
}

/** A name for one submission that no other submission has. Works without HTTPS too, where `randomUUID` is missing. */
export function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `web-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
