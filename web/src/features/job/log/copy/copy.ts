/** What of a log goes into the clipboard: as text, or with the codes that colour it in a terminal. */
import { codesOf, PLAIN } from "../text/ansi";
import { LineReader, LONGEST_LINE, type Row, type Span } from "../text/lines";
import type { ReadPiece } from "../text/pieces";

export type Form = "plain" | "colours";

/** More than this is for a file, and can be downloaded. */
export const MOST_COPIED = 4 * 1024 * 1024;
const PIECE = 1024 * 1024;

export function textOf(rows: readonly Row[], form: Form): string {
  const parts: string[] = [];
  rows.forEach((row, at) => {
    if (at > 0 && !row.isMid) parts.push("\n");
    for (const span of row.spans) parts.push(form === "plain" ? span.text : coloured(span));
  });
  return parts.join("");
}

function coloured({ text, style }: Span): string {
  return style === PLAIN ? text : `\u001b[${codesOf(style)}m${text}\u001b[0m`;
}

export function countLines(rows: readonly Row[]): number {
  return rows.reduce((lines, row, at) => lines + (at > 0 && row.isMid ? 0 : 1), 0);
}

/** The part of a row between two places of its text. */
export function sliceRow(row: Row, from: number, to: number): Row {
  let at = 0;
  const spans: Span[] = [];
  for (const { text, style } of row.spans) {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (part) spans.push({ text: part, style });
    at += text.length;
  }
  return { ...row, spans };
}

/** All rows from one byte to another, however long they are; what was cut out of the log is passed over. */
export async function readRows(read: ReadPiece, from: number, to: number): Promise<Row[]> {
  const rows: Row[] = [];
  let reader: LineReader | null = null;
  let offset = from;
  while (offset < to) {
    const piece = await read(offset, Math.min(PIECE, to - offset));
    if (piece.bytes.length === 0 || piece.offset >= to) break;
    if (reader === null || piece.offset > offset) {
      rows.push(...(reader?.open() ?? []));
      reader = new LineReader(piece.offset, false, LONGEST_LINE);
    }
    rows.push(...reader.push(piece.bytes));
    offset = piece.offset + piece.bytes.length;
  }
  return [...rows, ...(reader?.open() ?? [])];
}
