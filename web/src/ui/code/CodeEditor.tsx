import { lazy, type RefObject, Suspense, useLayoutEffect, useRef } from "react";
import { isNothingFocused } from "@/lib/focus";
import "./CodeEditor.css";

const CodeEditorView = lazy(() => import("./CodeEditorView"));

export interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  /** What is written here, for those who do not see it. */
  label: string;
  placeholder?: string;
  describedBy?: string;
  invalid?: boolean;
  readOnly?: boolean;
  autoFocus?: boolean;
}

/** Where the user was typing when the plain field made room for the editor. */
export interface Caret {
  place: number;
  focused: boolean;
}

/** A shell command or script with highlighting. Until the editor is loaded, a plain field of the same look takes the input. */
export function CodeEditor(props: CodeEditorProps) {
  const caret = useRef<Caret | null>(null);
  return (
    <div className={`code-editor${props.invalid ? " code-editor-invalid" : ""}`}>
      <Suspense fallback={<PlainEditor {...props} caret={caret} />}>
        <CodeEditorView {...props} caret={caret} />
      </Suspense>
    </div>
  );
}

function PlainEditor({
  value,
  onChange,
  label,
  placeholder,
  describedBy,
  invalid,
  readOnly,
  autoFocus,
  caret,
}: CodeEditorProps & { caret: RefObject<Caret | null> }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const wanted = useRef(autoFocus);
  useLayoutEffect(() => {
    const typedIn = field.current;
    if (wanted.current && isNothingFocused()) typedIn?.focus();
    return () => {
      if (!typedIn) return;
      caret.current = { place: typedIn.selectionStart, focused: document.activeElement === typedIn };
    };
  }, [caret]);
  return (
    <textarea
      ref={field}
      className="code-editor-plain"
      rows={Math.min(20, Math.max(3, value.split("\n").length))}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      placeholder={placeholder}
      readOnly={readOnly}
      spellCheck={false}
    />
  );
}
