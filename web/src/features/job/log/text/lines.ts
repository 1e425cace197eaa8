/** Bytes of a log, however they come in, become rows as a terminal would draw them. */
import { applySgr, PLAIN, type Style } from "./ansi";
import { Draft, type Row } from "./draft";

export type { Row, Span } from "./draft";

/** So much of a row is drawn; the rest of it on request. */
export const MOST_COLUMNS = 4000;
/** A longer line is broken into several rows. */
export const LONGEST_LINE = 256 * 1024;
/** Programs that draw several bars at once go up by a few rows; farther up nothing is drawn again. */
const ROWS_UP = 12;
const NEWLINE = 10;

const ESC = "\u001b";
const BEL = "\u0007";
const CONTROLS = "[\u0000-\u0008\u000b-\u001f\u007f]";
const TEXT_OF_TITLE = `[^${BEL}${ESC}]`;
/** An order to the terminal, a title for its window, or one of the characters that are none. */
const TOKEN = new RegExp(
  [
    `${ESC}\\[([0-?]*)[ -/]*([@-~])`,
    `${ESC}\\]${TEXT_OF_TITLE}*(?:${BEL}|${ESC}\\\\)`,
    `${ESC}[ -/]*[0-Z\\\\^-~]`,
    CONTROLS,
  ].join("|"),
  "g",
);
/** The beginning of one of those, cut off by the end of a piece. */
const UNFINISHED = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*|\\]${TEXT_OF_TITLE}{0,2000}${ESC}?|[ -/]*)$`);
const CONTROL = new RegExp(CONTROLS);

export class LineReader {
  /** Where the next byte that is pushed lies in the log. */
  offset: number;
  private readonly drafts: Draft[] = [];
  private at = 0;
  private style: Style = PLAIN;
  private readonly decoder = new TextDecoder();
  private unread = "";
  private finished: Row[] = [];

  constructor(
    offset: number,
    isMid = false,
    private readonly mostColumns = MOST_COLUMNS,
  ) {
    this.offset = offset;
    this.begin(isMid);
  }

  /** The rows that these bytes finish. */
  push(bytes: Uint8Array): Row[] {
    let from = 0;
    while (from < bytes.length) {
      if (this.offset - this.last.offset >= LONGEST_LINE && !isInsideCharacter(bytes[from])) {
        this.draw(this.decoder.decode());
        this.begin(true);
      }
      const room = Math.max(1, this.last.offset + LONGEST_LINE - this.offset);
      const newline = bytes.indexOf(NEWLINE, from);
      const until = Math.min(newline < 0 ? bytes.length : newline, from + room);
      const ends = until === newline;
      this.read(bytes.subarray(from, until), ends);
      const next = ends ? until + 1 : until;
      this.offset += next - from;
      this.last.end = this.offset;
      if (ends) this.feedLine();
      from = next;
    }
    const done = this.finished;
    this.finished = [];
    return done;
  }

  /** The last rows, which may yet change. */
  open(): Row[] {
    return this.drafts.filter((draft) => !draft.isEmpty).map((draft) => draft.asRow());
  }

  private get last(): Draft {
    return this.drafts[this.drafts.length - 1] as Draft;
  }

  private get draft(): Draft {
    return this.drafts[this.at] as Draft;
  }

  private begin(isMid: boolean): void {
    this.drafts.push(new Draft(this.offset, isMid, this.mostColumns));
    while (this.drafts.length > ROWS_UP) {
      const oldest = this.drafts.shift();
      if (oldest) this.finished.push(oldest.asRow());
    }
    this.at = this.drafts.length - 1;
  }

  private feedLine(): void {
    if (this.at === this.drafts.length - 1) this.begin(false);
    else this.go(1, 0);
  }

  private go(rows: number, column: number): void {
    this.at = Math.min(Math.max(0, this.at + rows), this.drafts.length - 1);
    this.draft.moveTo(column);
  }

  private read(bytes: Uint8Array, ends: boolean): void {
    let text = this.unread + this.decoder.decode(bytes, { stream: !ends });
    this.unread = "";
    const unfinished = ends ? null : UNFINISHED.exec(text);
    if (unfinished) {
      this.unread = unfinished[0];
      text = text.slice(0, unfinished.index);
    }
    this.draw(text);
  }

  private draw(text: string): void {
    if (!CONTROL.test(text)) {
      if (text) this.draft.write(text, this.style);
      return;
    }
    let drawn = 0;
    for (const token of text.matchAll(TOKEN)) {
      if (token.index > drawn) this.draft.write(text.slice(drawn, token.index), this.style);
      drawn = token.index + token[0].length;
      if (token[2]) this.obey(token[2], token[1] ?? "");
      else if (token[0] === "\r") this.draft.moveTo(0);
      else if (token[0] === "\b") this.draft.moveBy(-1);
    }
    if (drawn < text.length) this.draft.write(text.slice(drawn), this.style);
  }

  private obey(order: string, parameters: string): void {
    if (order === "m") {
      this.style = applySgr(this.style, parameters);
      return;
    }
    const number = Number.parseInt(parameters, 10);
    const steps = Math.max(1, number || 1);
    if (order === "K" || order === "J") this.draft.erase(number || 0);
    else if (order === "G") this.draft.moveTo(steps - 1);
    else if (order === "C") this.draft.moveBy(steps);
    else if (order === "D") this.draft.moveBy(-steps);
    else if (order === "A") this.go(-steps, this.draft.columnNow);
    else if (order === "B") this.go(steps, this.draft.columnNow);
    else if (order === "F") this.go(-steps, 0);
    else if (order === "E") this.go(steps, 0);
  }
}

/** Whether a byte belongs to a character of UTF-8 that began before it. */
export function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
