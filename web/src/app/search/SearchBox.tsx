import { CloseOutlined, SearchOutlined } from "@ant-design/icons";
import { useNavigate } from "@tanstack/react-router";
import { Button, Input, type InputRef } from "antd";
import { type ComponentRef, type KeyboardEvent, useId, useRef, useState } from "react";
import { useWords } from "@/lib/i18n/language";
import { searchKeys, useKey, useSearchKey } from "@/lib/keyboard";
import { useMe } from "../session";
import { words } from "../words";
import { jobRefIn } from "./ranking";
import { useNoteRecent } from "./recent";
import { type Chosen, useSearchPanel } from "./useSearchPanel";
import "./SearchBox.css";

/** As much as anything is called. */
const LONGEST = 200;
/** An input method takes this key; older browsers say so by a number alone. */
const TAKEN_BY_METHOD = 229;

/** One field that finds jobs, nodes, users, pages and actions. What it finds is shown by a part that is loaded late. */
export function SearchBox() {
  const say = useWords(words);
  const navigate = useNavigate();
  const box = useRef<HTMLElement>(null);
  const field = useRef<InputRef>(null);
  const cameFrom = useRef<Element | null>(null);
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  /** What was there before an input method began: half a word is not looked for. */
  const [before, setBefore] = useState<string | null>(null);
  const [activeId, setActiveId] = useState<string>();
  const panel = useRef<ComponentRef<NonNullable<typeof SearchPanel>>>(null);
  const { SearchPanel, isCut } = useSearchPanel(open);
  const listId = useId();
  useNoteRecent(useMe().name);
  useSearchKey(() => isInSight(box.current) && field.current?.focus({ cursor: "all" }));
  useKey("/", () => isInSight(box.current) && field.current?.focus({ cursor: "all" }));

  function close() {
    setOpen(false);
    setText("");
    setBefore(null);
    const back = cameFrom.current;
    cameFrom.current = null;
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
    else field.current?.blur();
  }

  function choose(chosen: Chosen) {
    close();
    if ("run" in chosen) chosen.run();
    else void navigate(chosen);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.keyCode === TAKEN_BY_METHOD) return;
    if (event.key === "Escape") close();
    else if (panel.current) panel.current.onKeyDown(event);
    else if (event.key === "Enter" && text.trim()) choose(placeOf(text.trim()));
  }

  return (
    <search
      ref={box}
      className={open ? "search search-open" : "search"}
      onBlur={({ relatedTarget }) => {
        // The field of a window in the background still has the focus there.
        if (document.activeElement === field.current?.input) return;
        if (!box.current?.contains(relatedTarget)) setOpen(false);
      }}
    >
      <Input
        ref={field}
        type="search"
        role="combobox"
        prefix={<SearchOutlined aria-hidden />}
        suffix={<kbd aria-hidden>{searchKeys()}</kbd>}
        placeholder={say("searchHint")}
        aria-label={say("search")}
        aria-keyshortcuts="Control+K Meta+K"
        aria-expanded={open && SearchPanel !== null}
        aria-controls={open && SearchPanel ? listId : undefined}
        aria-activedescendant={open ? activeId : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST}
        value={text}
        onChange={(change) => setText(change.target.value)}
        onCompositionStart={() => setBefore(text)}
        onCompositionEnd={() => setBefore(null)}
        onFocus={({ relatedTarget }) => {
          if (!open) cameFrom.current = relatedTarget;
          setOpen(true);
        }}
        // After Esc the field may have kept the focus.
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      {open && (
        <>
          <Button
            className="search-close"
            type="text"
            icon={<CloseOutlined />}
            aria-label={say("closeSearch")}
            onClick={close}
          />
          {SearchPanel ? (
            <SearchPanel
              ref={panel}
              listId={listId}
              text={before ?? text}
              onActive={setActiveId}
              onChoose={choose}
            />
          ) : (
            isCut && (
              <div className="search-panel search-cut" role="status">
                {say("searchCut")}
              </div>
            )
          )}
        </>
      )}
    </search>
  );
}

/** Where a text leads to while what shows what it finds is not there: a job, or the list of those that match. */
function placeOf(text: string): Chosen {
  const ref = jobRefIn(text);
  return ref ? { to: "/jobs/$ref", params: { ref } } : { to: "/jobs", search: { search: text } };
}

/** Whether nothing lies over it, like a dialog or a log in full screen: who is there stays there. */
function isInSight(element: HTMLElement | null): boolean {
  if (!element) return false;
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}
