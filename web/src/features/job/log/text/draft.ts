/** One row of a log while it is being drawn, as a terminal would: overwritten, erased, drawn again. */
import { PLAIN, type Style } from "./ansi";

export interface Span {
  readonly text: string;
  readonly style: Style;
}

export interface Row {
  /** Where its bytes begin; it is known by that. */
  readonly offset: number;
  readonly end: number;
  readonly spans: readonly Span[];
  /** It begins in the middle of a line that is too long for one row. */
  readonly isMid: boolean;
  /** There is more of it than is drawn. */
  readonly isCut: boolean;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const JOINED = /^(?:\p{M}|\u200d|\ufe0f)$/u;

export class Draft {
  end: number;
  private isCut = false;
  /** While nothing was drawn over, a row is just pieces of text, each in its style. */
  private readonly pieces: { text: string; style: Style }[] = [];
  private length = 0;
  private cells: { text: string; style: Style }[] | null = null;
  private column = 0;
  private moved = false;
  private kept: Row | null = null;

  constructor(
    readonly offset: number,
    readonly isMid: boolean,
    private readonly mostColumns: number,
  ) {
    this.end = offset;
  }

  get isEmpty(): boolean {
    return this.end === this.offset;
  }

  get columnNow(): number {
    return this.cells || this.moved ? this.column : this.length;
  }

  write(text: string, style: Style): void {
    this.kept = null;
    if (this.cells === null && !this.moved) {
      this.append(text, style);
      return;
    }
    const cells = this.asCells();
    for (const each of text) this.put(cells, each, style);
  }

  private append(text: string, style: Style): void {
    const room = Math.max(0, this.mostColumns - this.length);
    if (text.length > room) this.isCut = true;
    const shown = text.slice(0, room);
    const last = this.pieces[this.pieces.length - 1];
    if (last?.style === style) last.text += shown;
    else if (shown) this.pieces.push({ text: shown, style });
    this.length += shown.length;
  }

  private put(cells: { text: string; style: Style }[], each: string, style: Style): void {
    const before = cells[this.column - 1];
    if (before && JOINED.test(each)) {
      cells[this.column - 1] = { ...before, text: before.text + each };
      return;
    }
    const width = each === "\t" ? 8 - (this.column % 8) : WIDE.test(each) ? 2 : 1;
    if (this.column + width > this.mostColumns) {
      this.isCut = true;
      return;
    }
    while (cells.length < this.column) cells.push({ text: " ", style: PLAIN });
    cells[this.column] = { text: each === "\t" ? " ".repeat(width) : each, style };
    // The cells that a wide character covers say nothing themselves.
    for (let more = 1; more < width; more += 1) cells[this.column + more] = { text: "", style };
    this.column += width;
  }

  /** Go to a column; the next text is written over what is there. */
  moveTo(column: number): void {
    if (this.cells === null && !this.moved && this.length === 0 && column === 0) return;
    if (this.cells === null && column > 0) this.asCells();
    this.moved = true;
    this.column = Math.min(Math.max(0, column), this.mostColumns);
  }

  moveBy(columns: number): void {
    this.asCells();
    this.moveTo(this.column + columns);
  }

  erase(how: number): void {
    this.kept = null;
    const cells = this.asCells();
    if (how === 0) cells.length = Math.min(cells.length, this.column);
    else if (how === 1) cells.fill({ text: " ", style: PLAIN }, 0, Math.min(this.column + 1, cells.length));
    else if (how === 2) cells.length = 0;
  }

  private asCells(): { text: string; style: Style }[] {
    if (this.cells) return this.cells;
    const goal = this.moved ? this.column : null;
    this.cells = [];
    this.column = 0;
    this.moved = true;
    for (const { text, style } of this.pieces) for (const each of text) this.put(this.cells, each, style);
    if (goal !== null) this.column = goal;
    return this.cells;
  }

  asRow(): Row {
    if (this.kept?.end === this.end) return this.kept;
    // A row that was told stays as it is, though its last piece may go on.
    const spans = this.cells ? joined(this.cells) : this.pieces.map((each) => ({ ...each }));
    this.kept = { offset: this.offset, end: this.end, spans, isMid: this.isMid, isCut: this.isCut };
    return this.kept;
  }
}

function joined(cells: readonly { text: string; style: Style }[]): Span[] {
  const spans: { text: string; style: Style }[] = [];
  for (const { text, style } of cells) {
    const last = spans[spans.length - 1];
    if (last?.style === style) last.text += text;
    else if (text) spans.push({ text, style });
  }
  return spans;
}
