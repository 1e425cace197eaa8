/** Where the searched text is in a row, across changes of colour. */
import type { Span } from "../text/lines";

export interface MarkedSpan extends Span {
  readonly isHit: boolean;
}

export function markSpans(spans: readonly Span[], wanted: string): MarkedSpan[] {
  const hits = findAll(spans.map(({ text }) => text).join(""), wanted);
  const marked: MarkedSpan[] = [];
  let at = 0;
  for (const { text, style } of spans) {
    let done = 0;
    for (const [from, to] of hits) {
      const [start, end] = [Math.max(from - at, done), Math.min(to - at, text.length)];
      if (end <= start) continue;
      if (start > done) marked.push({ text: text.slice(done, start), style, isHit: false });
      marked.push({ text: text.slice(start, end), style, isHit: true });
      done = end;
    }
    if (done < text.length) marked.push({ text: text.slice(done), style, isHit: false });
    at += text.length;
  }
  return marked;
}

function findAll(text: string, wanted: string): [from: number, to: number][] {
  if (!wanted) return [];
  // The server, too, takes only ASCII letters for the same in both cases.
  const fold = (part: string) => part.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const [hay, needle] = [fold(text), fold(wanted)];
  const found: [number, number][] = [];
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + needle.length)) {
    found.push([at, at + needle.length]);
  }
  return found;
}
