/** What the browser's tab says of the page: its name, and for a job how it stands, in the icon too. */
import { useLayoutEffect } from "react";

export type TabMark = "running" | "good" | "bad";

const SIGNS: Record<TabMark, string> = { running: "●", good: "✓", bad: "✗" };
const PRODUCT = "Danlu";

export function tabTitle(text: string, mark?: TabMark): string {
  const name = mark ? `${SIGNS[mark]} ${text}` : text;
  return name ? `${name} – ${PRODUCT}` : PRODUCT;
}

/** Without a text the tab keeps the name that another part of the page gives it. */
export function useTabTitle(text: string | undefined, mark?: TabMark): void {
  useLayoutEffect(() => {
    if (text === undefined) return;
    document.title = tabTitle(text, mark);
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    icon?.setAttribute("href", mark ? `./danlu-${mark}.svg` : "./danlu.svg");
  }, [text, mark]);
}
