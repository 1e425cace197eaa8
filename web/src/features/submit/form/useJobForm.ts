import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useMe } from "@/app/session";
import { draftPlace, dropDraft, makeKey, readDraft, writeDraft } from "./draft";
import { type FieldName, type JobForm, sameForm } from "./jobForm";

export interface JobFormState {
  form: JobForm;
  /** What the form began with. */
  base: JobForm;
  dirty: boolean;
  /** Whether it shows what was typed before this page was opened. */
  restored: boolean;
  /** Under which it is submitted; the same until it is known what became of it. */
  key: string;
  touched: ReadonlySet<FieldName>;
  set(patch: Partial<JobForm>): void;
  /** Back to how it began. */
  reset(): void;
  /** It was handed in or given up: nothing is left to be lost, and the next submission is another one. */
  finish(): void;
  /** The next submission is another one. */
  renewKey(): void;
  /** Whether there is something that leaving the page leaves behind as a draft. */
  isKept(): boolean;
}

/** The values of a form, kept as a draft of this address. */
export function useJobForm(address: string, base: JobForm): JobFormState {
  const { name } = useMe();
  const place = draftPlace(name, address);
  const kept = useMemo(() => readDraft(place, base), [place, base]);
  const isDraft = kept !== null && !sameForm(kept.form, base);
  const [form, setForm] = useState(isDraft ? kept.form : base);
  const [key, setKey] = useState(kept?.key ?? makeKey);
  const [restored, setRestored] = useState(isDraft);
  const [touched, setTouched] = useState<ReadonlySet<FieldName>>(new Set());
  const dirty = !sameForm(form, base);
  const done = useRef(false);

  useEffect(() => {
    if (done.current) return;
    if (dirty) writeDraft(place, { form, key });
    else dropDraft(place);
  }, [place, form, key, dirty]);

  const set = useCallback((patch: Partial<JobForm>) => {
    done.current = false;
    setForm((now) => ({ ...now, ...patch }));
    setTouched((now) => new Set([...now, ...(Object.keys(patch) as FieldName[])]));
  }, []);
  const reset = useCallback(() => {
    setForm(base);
    setTouched(new Set());
    setRestored(false);
    setKey(makeKey());
  }, [base]);
  const renewKey = useCallback(() => setKey(makeKey()), []);
  const finish = useCallback(() => {
    done.current = true;
    dropDraft(place);
    setRestored(false);
    renewKey();
  }, [place, renewKey]);
  const isKept = useCallback(() => readDraft(place, base) !== null, [place, base]);

  return { form, base, dirty, restored, key, touched, set, reset, finish, renewKey, isKept };
}
