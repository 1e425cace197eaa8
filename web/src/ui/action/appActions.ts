/** What can be done on the page that is open, declared once by the part that does it; the search offers it by name. */
import { type ReactNode, useEffect, useId, useSyncExternalStore } from "react";
import { type Facts, fill, type Pair } from "@/lib/i18n/words";

export interface AppAction {
  key: string;
  /** In both languages: it is found by either. */
  name: Pair;
  /** Other words that it may be looked for by. */
  also?: Pair;
  icon: ReactNode;
  /** Found by a user who looks for it, never suggested. */
  isHidden?: boolean;
  run: () => void;
}

const offers = new Map<string, readonly AppAction[]>();
const listeners = new Set<() => void>();
let all: readonly AppAction[] = [];

function tell(): void {
  // What a page offers comes before what is there on every page.
  all = [...offers].reverse().flatMap(([part, actions]) =>
    // What is offered anew under the same name is done as it was meant last.
    actions.map((each) => ({
      ...each,
      key: `${part}${each.key}`,
      run: () => find(part, each.key)?.run(),
    })),
  );
  for (const listener of listeners) listener();
}

function find(part: string, key: string): AppAction | undefined {
  return offers.get(part)?.find((each) => each.key === key);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Offers actions for as long as the part that has them is on the page. */
export function useOfferActions(actions: readonly AppAction[]): void {
  const part = useId();
  const named = actions.map(({ key, name }) => [key, ...name].join()).join();
  useEffect(() => {
    offers.set(part, actions);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: others are told when there is another name to choose.
  useEffect(() => {
    tell();
    return () => {
      offers.delete(part);
      tell();
    };
  }, [part, named]);
}

export function useAppActions(): readonly AppAction[] {
  return useSyncExternalStore(subscribe, () => all);
}

/** A name with its facts filled in, in both languages. */
export function fillPair([english, chinese]: Pair, facts: Facts): Pair {
  return [fill(english, facts), fill(chinese, facts)];
}
