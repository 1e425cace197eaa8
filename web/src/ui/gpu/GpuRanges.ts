/** `0–3, 5`: the numbers of GPUs, where several in a row are written once. */
export function gpuRanges(indices: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const index of [...indices].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && index <= run[1] + 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs
    .map(([first, last]) => {
      if (first === last) return String(first);
      return last === first + 1 ? `${first}, ${last}` : `${first}–${last}`;
    })
    .join(", ");
}
