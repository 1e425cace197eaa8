/** When the lines of a log were written, as its node saw the log grow. */

/** At this moment the log was so long. */
export interface Sample {
  readonly offset: number;
  readonly at: number;
}

export interface Written {
  readonly after: number;
  readonly by: number;
}

/** Between which moments a line was written that ends at `end`; null where no sample tells. */
export function whenWritten(samples: readonly Sample[], end: number): Written | null {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((samples[middle]?.offset ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  const [before, found] = [samples[low - 1], samples[low]];
  return before && found ? { after: before.at, by: found.at } : null;
}

const STEP = 256 * 1024;

/** Which part of a log to ask about for what is in view: the same one while the user scrolls a little. */
export function askedPart(top: number, bottom: number): { begin: number; end: number } {
  return {
    begin: Math.max(0, (Math.floor(top / STEP) - 1) * STEP),
    end: (Math.floor(Math.max(top, bottom) / STEP) + 2) * STEP,
  };
}
