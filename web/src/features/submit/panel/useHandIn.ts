import { useEffect, useRef, useState } from "react";
import { ApiError } from "@/lib/api/client";
import type { JobFields, Problem } from "@/lib/api/schema";
import type { JobFormState } from "../form/useJobForm";

export interface HandIn {
  /** From the click until the answer. */
  sending: boolean;
  /** Why the server refused, or that it could not be reached; until something is changed. */
  refusal: ApiError | null;
  /** The last one that was accepted while the page stayed. */
  accepted: string | null;
  hand(fields: JobFields): Promise<string | null>;
}

/** Hands the form in. Repeating it after a lost answer is safe: it goes under the same key. */
export function useHandIn(
  state: JobFormState,
  send: (fields: JobFields, key: string) => Promise<string>,
): HandIn {
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const [accepted, setAccepted] = useState<string | null>(null);
  // A second click comes before the button shows it.
  const underway = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was refused is no longer what the form says.
  useEffect(() => setRefusal(null), [state.form]);

  async function hand(fields: JobFields): Promise<string | null> {
    if (underway.current) return null;
    underway.current = true;
    setSending(true);
    setRefusal(null);
    setAccepted(null);
    try {
      const ref = await send(fields, state.key);
      state.finish();
      setAccepted(ref);
      return ref;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The first try did arrive, and the form was changed since: what is sent next is another job.
      if (error.code === "key_reused") state.renewKey();
      setRefusal(error);
      return null;
    } finally {
      underway.current = false;
      setSending(false);
    }
  }
  return { sending, refusal, accepted, hand };
}

/** A refusal that is about what the form says, and so belongs to its fields. */
export function refusedFor(refusal: ApiError | null): Problem[] {
  return refusal && (refusal.status === 422 || refusal.status === 400) ? [refusal.problem] : [];
}
