import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import { type Language, type Say, sayIn, type Words } from "./words";

const KEY = "danlu.language";
const listeners = new Set<() => void>();

export function preferredLanguage(remembered: string | null, wished: readonly string[]): Language {
  if (remembered === "en" || remembered === "zh") return remembered;
  const first = wished.find((each) => /^(zh|en)\b/i.test(each));
  return first?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

let current: Language = preferredLanguage(localStorage.getItem(KEY), navigator.languages);

/** The language now, also for what lies outside of React, like the headers of a request. */
export function currentLanguage(): Language {
  return current;
}

export function chooseLanguage(language: Language): void {
  current = language;
  localStorage.setItem(KEY, language);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const LanguageContext = createContext<Language>("en");

export function LanguageProvider({ children }: { children: ReactNode }) {
  const language = useSyncExternalStore(subscribe, currentLanguage);
  useEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  }, [language]);
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

/** `const say = useWords(words)`, then `say("title")`. */
export function useWords<W extends Words>(words: W): Say<W> {
  const language = useLanguage();
  return useMemo(() => sayIn(language, words), [language, words]);
}
