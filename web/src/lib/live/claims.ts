/** What only one of all tabs is to do: the first that claims it does it. */

/** Older ones are forgotten: no tab claims them any more. */
const MOST_REMEMBERED = 1000;

export class Claims {
  private readonly taken = new Set<string>();

  /** Those of the keys that were still free. */
  take(keys: readonly string[]): string[] {
    const free = [...new Set(keys)].filter((key) => !this.taken.has(key));
    for (const key of free) this.taken.add(key);
    for (const oldest of this.taken) {
      if (this.taken.size <= MOST_REMEMBERED) break;
      this.taken.delete(oldest);
    }
    return free;
  }
}
