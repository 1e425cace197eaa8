import {
  defaultHighlightStyle,
  HighlightStyle,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, placeholder as placeholderText } from "@codemirror/view";
import { minimalSetup } from "codemirror";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { isNothingFocused } from "@/lib/focus";
import type { Caret, CodeEditorProps } from "./CodeEditor";

/** The editor's own colours suit a white page only: each is put into a colour of ours, which knows light and dark. */
const OURS: Record<string, string> = {
  "#708": "var(--shared)",
  "#a11": "var(--code-string)",
  "#e40": "var(--code-string)",
  "#940": "var(--ink-soft)",
  "#00f": "var(--code-variable)",
  "#30a": "var(--code-variable)",
  "#256": "var(--code-variable)",
  "#164": "var(--code-variable)",
};

const colors = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) =>
    spec.color ? { ...spec, color: OURS[spec.color] ?? "inherit" } : spec,
  ),
);

/** A change that was made to the editor, not by the user in it. */
const fromOutside = Annotation.define<boolean>();

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content;

const fixed: Extension[] = [
  nonce ? EditorView.cspNonce.of(nonce) : [],
  // Its keys leave Tab to the way through the form.
  minimalSetup,
  EditorView.lineWrapping,
  StreamLanguage.define(shell),
  syntaxHighlighting(colors),
];

/** The editor itself, with all that it brings: loaded when a page needs it. */
export default function CodeEditorView(props: CodeEditorProps & { caret: RefObject<Caret | null> }) {
  const { caret, value, label, placeholder, describedBy, invalid, readOnly } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const parts = useRef(new Compartment());
  const latest = useRef(props);
  latest.current = props;

  // In the very step in which the plain field goes: no key is pressed in between.
  useLayoutEffect(() => {
    if (!box.current) return;
    const made = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: latest.current.value,
        selection: { anchor: Math.min(caret.current?.place ?? 0, latest.current.value.length) },
        extensions: [
          ...fixed,
          parts.current.of([]),
          EditorView.updateListener.of((update) => {
            const typed = !update.transactions.some((each) => each.annotation(fromOutside));
            if (update.docChanged && typed) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    const wanted = caret.current ? caret.current.focused : latest.current.autoFocus;
    if (wanted && isNothingFocused()) made.focus();
    return () => {
      made.destroy();
      view.current = null;
    };
  }, [caret]);

  useEffect(() => {
    const attributes: Record<string, string> = {
      "aria-label": label,
      "aria-invalid": String(Boolean(invalid)),
    };
    if (describedBy) attributes["aria-describedby"] = describedBy;
    view.current?.dispatch({
      effects: parts.current.reconfigure([
        EditorView.contentAttributes.of(attributes),
        placeholder ? placeholderText(placeholder) : [],
        EditorState.readOnly.of(Boolean(readOnly)),
      ]),
    });
  }, [label, placeholder, describedBy, invalid, readOnly]);

  useEffect(() => {
    const now = view.current;
    if (!now || now.state.doc.toString() === value) return;
    now.dispatch({
      changes: { from: 0, to: now.state.doc.length, insert: value },
      annotations: fromOutside.of(true),
    });
  }, [value]);

  return <div ref={box} className="code-editor-view" />;
}
