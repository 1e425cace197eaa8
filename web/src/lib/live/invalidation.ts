/** Gathers stale keys for a moment, then has what is on screen asked for again. */
import type { QueryClient } from "@tanstack/react-query";

type Key = readonly unknown[];

/** However much happens, a list is asked for again at most this often. */
export const GATHER_MS = 400;
const LONGEST_ROUND_MS = 5000;

export class Invalidation {
  private waiting = new Map<string, Key>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;
  constructor(private readonly client: QueryClient) {}

  add(stale: Key[]): void {
    for (const key of stale) this.waiting.set(JSON.stringify(key), key);
    if (this.waiting.size > 0) this.timer ??= setTimeout(() => void this.flush(), GATHER_MS);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async flush(): Promise<void> {
    const stale = [...this.waiting.values()];
    this.waiting.clear();
    // A page's first question is not asked anew while it is under way, though its answer may have missed the news.
    const again = stale.filter((queryKey) => this.isAskedForTheFirstTime(queryKey));
    // What else is being fetched now may have missed them too: it is asked for again, not waited for.
    const asked = Promise.all(stale.map((queryKey) => this.client.invalidateQueries({ queryKey })));
    // Later news wait for these answers: over a slow connection each round would cut off the one before, and none arrive.
    await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, LONGEST_ROUND_MS))]);
    this.timer = undefined;
    if (!this.stopped) this.add(again);
  }

  private isAskedForTheFirstTime(queryKey: Key): boolean {
    const queries = this.client.getQueryCache().findAll({ queryKey });
    return queries.some(({ state }) => state.data === undefined && state.fetchStatus === "fetching");
  }
}
