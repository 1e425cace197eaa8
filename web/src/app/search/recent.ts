/** Where this user has been in this tab, latest first: addresses alone, so that nothing of a page is kept. */
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";

const MOST = 8;

/** The address comes to the front; the oldest falls out. Pure. */
export function withRecent(recent: readonly string[], address: string): string[] {
  return [address, ...recent.filter((each) => each !== address)].slice(0, MOST);
}

function keyOf(user: string): string {
  return `danlu.recent.${user}`;
}

export function recentOf(user: string): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(user)) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

/** Notes every page that the user comes to. */
export function useNoteRecent(user: string): void {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(
    () => sessionStorage.setItem(keyOf(user), JSON.stringify(withRecent(recentOf(user), path))),
    [user, path],
  );
}
