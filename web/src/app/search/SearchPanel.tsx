// biome-ignore-all lint/a11y/useSemanticElements: a list that a field chooses from is no <select>.
import { useRouter } from "@tanstack/react-router";
import {
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useWords } from "@/lib/i18n/language";
import type { Found } from "./found";
import { Fit, fitFor } from "./ranking";
import { useMatches } from "./useMatches";
import type { Chosen } from "./useSearchPanel";
import { useSuggestions } from "./useSuggestions";
import { words } from "./words";
import "./SearchPanel.css";

interface SearchPanelProps {
  ref: Ref<{ onKeyDown: (event: KeyboardEvent) => void }>;
  listId: string;
  text: string;
  /** Told which one is chosen by Enter. */
  onActive: (id: string | undefined) => void;
  onChoose: (chosen: Chosen) => void;
}

/** What was found, to choose from. The focus stays in the field, whose keys come here. */
export function SearchPanel({ ref, listId, text, onActive, onChoose }: SearchPanelProps) {
  const say = useWords(words);
  const router = useRouter();
  const list = useRef<HTMLDivElement>(null);
  const wanted = text.trim();
  const matches = useMatches(wanted);
  const suggestions = useSuggestions(wanted === "");
  const { sections, isPending, error } = wanted === "" ? suggestions : matches;
  const all = sections.flatMap(({ found }) => found);
  const { active, activate } = useActive(wanted, all, isPending);
  const idOf = (found: Found) => `${listId}-${all.indexOf(found)}`;
  const activeId = active && idOf(active);

  useLayoutEffect(() => onActive(activeId), [activeId, onActive]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is read from its beginning.
  useEffect(() => {
    if (list.current) list.current.scrollTop = 0;
  }, [wanted]);

  function choose({ chosen }: Found, elsewhere: boolean) {
    if (!elsewhere || "run" in chosen) return onChoose(chosen);
    window.open(router.buildLocation(chosen).publicHref, "_blank", "noopener");
  }

  function step(to: number) {
    const found = all[(to + all.length) % all.length];
    if (!found) return;
    activate(found.key);
    document.getElementById(idOf(found))?.scrollIntoView({ block: "nearest" });
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = active ? all.indexOf(active) : -1;
    const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "Enter" && active) choose(active, event.ctrlKey || event.metaKey);
    else if (event.key === "ArrowDown" && plain) step(at + 1);
    else if (event.key === "ArrowUp" && plain) step(at - 1);
    else if (event.key === "Home" && plain) step(0);
    else if (event.key === "End" && plain) step(all.length - 1);
    else return;
    event.preventDefault();
  }
  useImperativeHandle(ref, () => ({ onKeyDown }));

  const told = error
    ? `${error.message} ${say("stillHere")}`
    : isPending
      ? say("searching")
      : say("count", { count: all.length });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click into it leaves the focus in the field.
    <div className="search-panel" onMouseDown={keepFocus}>
      <div ref={list} className="search-list" id={listId} role="listbox" aria-label={say("found")}>
        {sections.map(({ title, found }, index) => (
          <div key={title} role="group" aria-labelledby={`${listId}-title-${index}`}>
            <div className="search-title" id={`${listId}-title-${index}`} role="presentation">
              {title}
            </div>
            {found.map((each) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys.
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
              <div
                key={each.key}
                id={idOf(each)}
                role="option"
                className={each === active ? "search-found search-active" : "search-found"}
                aria-selected={each === active}
                onMouseMove={() => each !== active && activate(each.key)}
                onClick={(event) => choose(each, event.ctrlKey || event.metaKey)}
              >
                {each.icon}
                <span className="search-name">{each.title}</span>
                {each.note && <span className="search-note soft">{each.note}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <div className={error ? "search-foot search-trouble" : "search-foot"}>
        <span role="status">{told}</span>
        {!error && (
          <span className="search-keys" aria-hidden>
            <kbd>↑</kbd> <kbd>↓</kbd> {say("choose")} <kbd>Enter</kbd> {say("open")} <kbd>Esc</kbd>{" "}
            {say("close")}
          </span>
        )}
      </div>
    </div>
  );
}

/**
 * Which one Enter would choose: the first, until the user goes to another. It stays the same when more are found for the
 * same text, so that nothing else is chosen than what was seen; only a poor one gives way to a better one.
 */
function useActive(text: string, all: readonly Found[], isPending: boolean) {
  const [held, setHeld] = useState<{ text: string; key: string } | null>(null);
  const kept = held?.text === text ? all.find(({ key }) => key === held.key) : undefined;
  const active = kept ?? all[0];
  const isWorthKeeping = active !== undefined && isSteady(text, active, isPending);
  useEffect(() => {
    if (!kept && isWorthKeeping && active) setHeld({ text, key: active.key });
  }, [kept, isWorthKeeping, active, text]);
  return { active, activate: (key: string) => setHeld({ text, key }) };
}

function isSteady(text: string, found: Found, isPending: boolean): boolean {
  if (text === "") return !isPending;
  return found.key !== "list" && (found.kind === "job" || fitFor(text, found) >= Fit.Word);
}

function keepFocus(event: MouseEvent) {
  event.preventDefault();
}
