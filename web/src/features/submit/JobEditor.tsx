import { App } from "antd";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { JobFields, JobToCheck } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { FormContext, type Origin } from "./context";
import { DraftNotice } from "./DraftNotice";
import { type FieldName, type JobForm, toFields, toForm } from "./jobForm";
import { MoreSection } from "./MoreSection";
import { gatherProblems } from "./problems";
import { Section } from "./Section";
import { SidePanel } from "./SidePanel";
import { SECTIONS, type SectionName, sectionOf } from "./sections";
import { useCheck } from "./useCheck";
import { refusedFor, useHandIn } from "./useHandIn";
import { useJobForm } from "./useJobForm";
import { useSummaries } from "./useSummaries";
import { WhatSection } from "./WhatSection";
import { WhenSection } from "./WhenSection";
import { WhereSection } from "./WhereSection";
import { words } from "./words";
import "./JobEditor.css";

export interface JobEditorProps {
  /** Under which the draft is kept. */
  address: string;
  base: JobForm;
  origin: Origin;
  /** Of a new job: what applies where the form says nothing. */
  defaults: JobFields | null;
  toCheck: (fields: JobFields) => JobToCheck;
  /** Hands the job in; its reference. */
  send: (fields: JobFields, key: string) => Promise<string>;
  onDone: (ref: string) => void;
  submitLabel: string;
  /** Whether handing in an unchanged form means something. */
  needsChange?: boolean;
  /** What stands above the form; it is told what the form says now. */
  notice?: (form: JobForm) => ReactNode;
  blocked?: boolean;
}

const FOLDED = ["where", "when", "more"] as const;
const CONTENTS = { where: <WhereSection />, when: <WhenSection />, more: <MoreSection /> };

/** The one form for jobs: new, copied or edited. */
export function JobEditor(props: JobEditorProps) {
  const { address, base, origin, defaults, toCheck, send, onDone } = props;
  const say = useWords(words);
  const state = useJobForm(address, base);
  const { form, set } = state;
  const { fields, unread } = useMemo(() => toFields(form), [form]);
  const checked = useCheck(toCheck(fields));
  const { busy, refusal, accepted, hand } = useHandIn(state, send);
  const [open, setOpen] = useState<ReadonlySet<SectionName>>(new Set());
  const [attempts, setAttempts] = useState(0);
  const summaries = useSummaries(form);
  useDraftNotice(state.isKept);

  const problems = gatherProblems({
    unread: unread.map((name) => [name, say(wordsForUnread(name))]),
    server: [...refusedFor(refusal), ...(checked.check?.problems ?? [])],
    begun: attempts > 0 || state.touched.has("command"),
  });
  const context = {
    form,
    set,
    base,
    origin,
    defaults: useMemo(() => defaults && toForm(defaults), [defaults]),
    problems: problems.at,
  };

  function openProblems() {
    const troubled = [...problems.at.keys()].map(sectionOf);
    setOpen((now) => new Set([...now, ...troubled]));
    setAttempts((n) => n + 1);
  }

  async function handIn(stay: boolean) {
    openProblems();
    if (unread.length > 0) return;
    const ref = await hand(fields);
    if (ref !== null && !stay) onDone(ref);
  }

  // What was refused is shown where it is, and gone to.
  const troubles = problems.at.size;
  useEffect(() => {
    if (attempts === 0 || troubles === 0) return;
    document.querySelector<HTMLElement>('.job-editor [aria-invalid="true"]')?.focus();
  }, [attempts, troubles]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new refusal opens what it is about.
  useEffect(() => {
    if (refusal) openProblems();
  }, [refusal]);

  return (
    <FormContext value={context}>
      <form
        className="job-editor"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!props.blocked) void handIn(false);
        }}
      >
        <div className="job-editor-fields">
          {props.notice?.(form)}
          {state.restored && state.dirty && <DraftNotice onDiscard={state.reset} />}
          <WhatSection focus={origin === "defaults"} />
          {FOLDED.map((name) => (
            <Section
              key={name}
              title={say(name)}
              summary={summaries[name]}
              problems={SECTIONS[name].filter((field) => problems.at.has(field)).length}
              open={open.has(name)}
              onToggle={() => setOpen((now) => toggled(now, name))}
            >
              {CONTENTS[name]}
            </Section>
          ))}
        </div>
        <SidePanel
          checked={checked}
          problems={problems}
          refusal={refusal}
          accepted={accepted}
          busy={busy}
          submitLabel={props.submitLabel}
          disabled={Boolean(props.blocked) || (Boolean(props.needsChange) && !state.dirty)}
          unchanged={Boolean(props.needsChange) && !state.dirty}
          defaults={defaults}
          onStay={defaults ? () => void handIn(true) : undefined}
        />
      </form>
    </FormContext>
  );
}

function wordsForUnread(name: FieldName): "badVariables" | "badSize" | "badDuration" {
  if (name === "variables") return "badVariables";
  return name === "memory_mb" || name === "gpu_memory_mb" ? "badSize" : "badDuration";
}

function toggled(open: ReadonlySet<SectionName>, name: SectionName): ReadonlySet<SectionName> {
  const now = new Set(open);
  if (!now.delete(name)) now.add(name);
  return now;
}

/** Who leaves a half-filled form is told that it is not lost. */
function useDraftNotice(isKept: () => boolean): void {
  const { message } = App.useApp();
  const say = useWords(words);
  const leave = useRef(() => {});
  leave.current = () => {
    if (isKept()) void message.info(say("draftKept"));
  };
  useEffect(() => () => leave.current(), []);
}
