/** How many tasks `0-99%10` means, told while it is typed; whether it may be is for the server to say. Pure. */
export interface ArraySize {
  total: number;
  atMost: number | null;
}

const PART = /^(\d{1,7})(?:-(\d{1,7})(?::(\d{1,7}))?)?$/;
const MOST = 100_000;

/** Null: no array, or one that is too large. Indices named twice count once. */
export function readArray(text: string): ArraySize | null {
  const [listed = "", limit, ...more] = text.replaceAll(" ", "").split("%");
  if (more.length || (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit))) return null;
  const indices = new Set<number>();
  for (const part of listed.split(",")) {
    const match = PART.exec(part);
    if (!match) return null;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    const step = Number(match[3] ?? 1);
    if (last < first || step < 1 || (last - first) / step >= MOST) return null;
    for (let index = first; index <= last; index += step) indices.add(index);
    if (indices.size > MOST) return null;
  }
  return { total: indices.size, atMost: limit === undefined ? null : Number(limit) };
}
