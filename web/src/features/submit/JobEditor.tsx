import { App } from "antd";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { JobFields, JobToCheck } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { DraftNotice } from "./DraftNotice";
import { FormContext, type Origin } from "./form/context";
import { type JobForm, toFields, toForm } from "./form/jobForm";
import { gatherProblems } from "./form/problems";
import { sectionOf } from "./form/sections";
import { goToTroubledField } from "./form/troubledField";
import { useUnreadWords } from "./form/unreadWords";
import { useJobForm } from "./form/useJobForm";
import { SidePanel } from "./panel/SidePanel";
import { useCheck } from "./panel/useCheck";
import { refusedFor, useHandIn } from "./panel/useHandIn";
import { FormSections } from "./sections/FormSections";
import { useOpenSections } from "./sections/useOpenSections";
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
  /** Goes back to where the user came from. */
  onCancel: () => void;
  submitLabel: string;
  /** Whether handing in an unchanged form means something. */
  needsChange?: boolean;
  /** What stands above the form; it is told what the form says now. */
  notice?: (form: JobForm) => ReactNode;
  blocked?: boolean;
}

function ignore(): void {}

/** The one form for jobs: new, copied or edited. */
export function JobEditor(props: JobEditorProps) {
  const { address, base, origin, defaults, toCheck, send, onDone } = props;
  const state = useJobForm(address, base);
  const { form, set } = state;
  const { fields, unread } = useMemo(() => toFields(form), [form]);
  const checked = useCheck(toCheck(fields));
  const { sending, refusal, accepted, hand } = useHandIn(state, send);
  const sections = useOpenSections();
  const cancel = useCancel(state.dirty, () => {
    state.finish();
    props.onCancel();
  });
  const [begun, setBegun] = useState(false);
  const [refused, setRefused] = useState(0);
  // Where the focus was when it was handed in, until it is known what became of that.
  const handedInFrom = useRef<Element | null>(null);
  const [shown, setShown] = useState(0);
  const wordsForUnread = useUnreadWords();
  useDraftNotice(state.isKept);

  const problems = gatherProblems({
    unread: unread.map((name) => [name, wordsForUnread(form, name)]),
    server: [...refusedFor(refusal), ...(checked.check?.problems ?? [])],
    begun: begun || state.touched.has("command"),
  });
  const context = {
    form,
    // Closed while it is sent: what is shown is what the server gets.
    set: sending ? ignore : set,
    closed: sending,
    base,
    origin,
    defaults: useMemo(() => defaults && toForm(defaults), [defaults]),
    problems: problems.at,
  };

  async function handIn(stay: boolean) {
    if (props.blocked || sending) return;
    handedInFrom.current = document.activeElement;
    setBegun(true);
    if (unread.length > 0) {
      setRefused((n) => n + 1);
      return;
    }
    const ref = await hand(fields);
    if (ref === null) setRefused((n) => n + 1);
    else if (!stay) onDone(ref);
  }

  // What was refused is shown where it is: a section that is closed opens for it, and only then there is a field to go to.
  // What is found later is no reason to go anywhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another refusal opens what it is about.
  useEffect(() => {
    if (refused === 0) return;
    sections.open([...problems.at.keys()].map(sectionOf));
    setShown(refused);
  }, [refused]);
  useEffect(() => {
    if (shown > 0) goToTroubledField(handedInFrom.current);
  }, [shown]);

  return (
    <FormContext value={context}>
      <form
        className={sending ? "job-editor job-editor-closed" : "job-editor"}
        aria-busy={sending}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void handIn(false);
        }}
      >
        <div className="job-editor-fields">
          {props.notice?.(form)}
          {state.restored && state.dirty && !sending && <DraftNotice onDiscard={state.reset} />}
          <FormSections sections={sections} focus={origin === "defaults"} />
        </div>
        <SidePanel
          checked={checked}
          problems={problems}
          refusal={refusal}
          accepted={accepted}
          sending={sending}
          submitLabel={props.submitLabel}
          disabled={Boolean(props.blocked) || (Boolean(props.needsChange) && !state.dirty)}
          unchanged={Boolean(props.needsChange) && !state.dirty}
          defaults={defaults}
          onStay={defaults ? () => void handIn(true) : undefined}
          onCancel={cancel}
        />
      </form>
    </FormContext>
  );
}

/** Leaves the form; asks before, where that would take something that was typed. */
function useCancel(dirty: boolean, leave: () => void): () => void {
  const { modal } = App.useApp();
  const say = useWords(words);
  if (!dirty) return leave;
  return () =>
    void modal.confirm({
      title: say("cancelTitle"),
      content: say("cancelHint"),
      okText: say("cancelDo"),
      okButtonProps: { danger: true },
      cancelText: say("cancelNot"),
      onOk: leave,
    });
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
