/**
 * The part of a log that is in memory: rows that lie side by side, grown at either end in pieces and forgotten at the
 * other. Everything is addressed by bytes, so a log of any size costs the same.
 */
import { isInsideCharacter, LineReader, LONGEST_LINE, type Row } from "./lines";

export interface Piece {
  offset: number;
  bytes: Uint8Array;
  /** Of the whole log. */
  size: number;
  /** It was cut: from the first of these up to the second there is nothing in it. */
  cut?: readonly [number, number] | null;
}

/** Where pieces come from. A negative offset counts from the end. */
export type ReadPiece = (offset: number, limit: number) => Promise<Piece>;

export const PIECE = 48 * 1024;
export const MOST_BYTES = 2 * 1024 * 1024;
export const MOST_ROWS = 80_000;
/** So many rows stay, however long they are: the user looks at them. */
const FEWEST_ROWS = 100;
/** What is read before the place the user wants to see, so that its line is seen whole and in context. */
const LEAD = 8 * 1024;
const NEWLINE = 10;

export interface Sight {
  readonly rows: readonly Row[];
  readonly start: number;
  readonly end: number;
  readonly size: number;
  /** Grows whenever the rows are others than before, not only more of them. */
  readonly opened: number;
  /** What was cut out of the log, from where to where. */
  readonly cut: readonly [number, number] | null;
  /** The number of the first row's line; null where the lines before it are not counted. */
  readonly firstLine: number | null;
}

export class LogPieces {
  sight: Sight = { rows: [], start: 0, end: 0, size: 0, opened: 0, cut: null, firstLine: null };
  private finished: Row[] = [];
  /** Reads on where the rows end; none after rows were forgotten there. */
  private tail: LineReader | null = new LineReader(0);
  private readonly growing = { up: false, down: false };
  private readonly larger = new Map<number, Row>();
  private cut: readonly [number, number] | null = null;
  private firstLine: number | null = null;
  /** What is on screen; it is not forgotten. */
  private looking = { top: Number.POSITIVE_INFINITY, bottom: 0 };
  /** No other rows are shown in the place of those that are there. */
  isHeld = false;

  constructor(
    private readonly read: ReadPiece,
    private readonly onChange: () => void,
  ) {}

  get atStart(): boolean {
    return this.sight.start === 0;
  }

  get atEnd(): boolean {
    return this.sight.end >= this.sight.size;
  }

  lookAt(top: number, bottom: number): void {
    this.looking = { top, bottom };
  }

  /** Show the last of the log. */
  async openEnd(): Promise<void> {
    const asked = this.nextOpening();
    const piece = await this.read(-PIECE, PIECE);
    if (asked === this.sight.opened) this.begin(piece, piece.offset + piece.bytes.length - 1);
  }

  /** The same for a log that runs away from who watches it, unless they have stopped it meanwhile. */
  async catchUp(): Promise<void> {
    const { opened } = this.sight;
    const piece = await this.read(-PIECE, PIECE);
    if (opened !== this.sight.opened || this.isHeld) return;
    this.nextOpening();
    this.begin(piece, piece.offset + piece.bytes.length - 1);
  }

  /** How much there is by now, without reading it. */
  async measure(): Promise<void> {
    const { opened } = this.sight;
    const { size } = await this.read(-1, 1);
    // A file that has become shorter is another one; what is shown of the one before stays while it is held.
    if (opened === this.sight.opened && size > this.sight.size) {
      this.sight = { ...this.sight, size };
      this.onChange();
    }
  }

  /** Show what is around a place. */
  async openAt(offset: number): Promise<void> {
    const asked = this.nextOpening();
    const piece = await this.read(Math.max(0, offset - LEAD), PIECE);
    if (asked !== this.sight.opened) return;
    // Behind the end of a file that has become shorter, its end is what there is.
    if (piece.bytes.length === 0 && piece.size > 0) await this.openEnd();
    else this.begin(piece, offset);
  }

  /** Whether a place can be shown without reading anything. */
  holds(offset: number): boolean {
    return this.sight.rows.length > 0 && offset >= this.sight.start && offset < this.sight.end;
  }

  private nextOpening(): number {
    this.sight = { ...this.sight, opened: this.sight.opened + 1 };
    return this.sight.opened;
  }

  private begin(piece: Piece, wanted: number): void {
    this.cut = piece.cut ?? null;
    const skipped = piece.offset === 0 ? 0 : wholeFrom(piece.bytes, wanted - piece.offset);
    const isMid = piece.offset + skipped > 0 && piece.bytes[skipped - 1] !== NEWLINE;
    this.finished = [];
    this.larger.clear();
    this.looking = { top: Number.POSITIVE_INFINITY, bottom: 0 };
    this.tail = new LineReader(piece.offset + skipped, isMid);
    this.firstLine = piece.offset + skipped === 0 ? 1 : null;
    this.sight = { ...this.sight, start: piece.offset + skipped };
    this.take(piece.bytes.subarray(skipped), piece.size);
  }

  /** More rows at the end. Answers whether anything came. */
  async growDown(): Promise<boolean> {
    if (this.growing.down) return false;
    this.growing.down = true;
    const { opened, end } = this.sight;
    try {
      const piece = await this.read(end, PIECE);
      // The user went elsewhere meanwhile, or the stream brought the same bytes.
      if (opened !== this.sight.opened || end !== this.sight.end) return false;
      if (piece.size < end) {
        // The file was emptied or replaced: what we have is no longer in it.
        if (this.isHeld) return false;
        await this.openEnd();
        return true;
      }
      if (piece.bytes.length > 0 && piece.offset > end) this.passCut(piece);
      this.take(piece.bytes, piece.size);
      return piece.bytes.length > 0;
    } finally {
      this.growing.down = false;
    }
  }

  /** The log goes on behind what was cut out of it. */
  private passCut({ offset, cut = null }: Piece): void {
    this.cut = cut;
    this.finished.push(...(this.tail?.open() ?? []));
    this.tail = new LineReader(offset, true);
  }

  /** Bytes that the stream brought. What does not continue the rows is not wanted. */
  append(offset: number, bytes: Uint8Array): void {
    const known = this.sight.end - offset;
    if (known < 0 && this.sight.rows.length > 0) void this.growDown().catch(() => {});
    if (known < 0 || known >= bytes.length) return;
    this.take(bytes.subarray(known), Math.max(this.sight.size, offset + bytes.length));
  }

  private take(bytes: Uint8Array, size: number): void {
    this.tail ??= new LineReader(this.sight.end);
    for (const row of this.tail.push(bytes)) this.finished.push(row);
    this.show(this.sight.start, this.tail.offset, size);
    this.forgetAbove();
  }

  /** More rows before the first. Answers whether anything came. */
  async growUp(): Promise<boolean> {
    if (this.growing.up || this.atStart) return false;
    this.growing.up = true;
    const { opened, start } = this.sight;
    const { floor, ceiling } = this.above(start);
    try {
      let from = Math.max(floor, ceiling - PIECE);
      let piece = await this.read(from, ceiling - from);
      let skipped = from === floor ? 0 : wholeFrom(piece.bytes, ceiling - from - 1);
      if (from > floor && piece.bytes[skipped - 1] !== NEWLINE) {
        // The line is longer than the piece: a larger one may hold it whole.
        from = Math.max(floor, ceiling - LONGEST_LINE);
        piece = await this.read(from, ceiling - from);
        skipped = from === floor ? 0 : wholeFrom(piece.bytes, ceiling - from - 1);
      }
      if (opened !== this.sight.opened || start !== this.sight.start || piece.offset !== from) return false;
      const isMid = from + skipped > 0 && piece.bytes[skipped - 1] !== NEWLINE;
      const reader = new LineReader(from + skipped, isMid);
      const rows = [...reader.push(piece.bytes.subarray(skipped)), ...reader.open()];
      if (this.firstLine !== null) this.firstLine -= newLines([...rows, ...this.sight.rows], rows.length);
      if (from + skipped === 0) this.firstLine = 1;
      this.finished = [...rows, ...this.finished];
      this.show(from + skipped, this.sight.end, piece.size);
      this.forgetBelow();
      return rows.length > 0;
    } finally {
      this.growing.up = false;
    }
  }

  /** Between which places the bytes lie that come before one: what was cut out is passed over. */
  private above(start: number): { floor: number; ceiling: number } {
    const [from, to] = this.cut ?? [0, 0];
    if (start > to) return { floor: to, ceiling: start };
    return { floor: 0, ceiling: Math.min(start, from) };
  }

  /** Draw more of a row that was cut. */
  async expand(row: Row, columns: number): Promise<void> {
    const { opened } = this.sight;
    const piece = await this.read(row.offset, Math.min(row.end - row.offset, columns * 4, LONGEST_LINE));
    if (opened !== this.sight.opened) return;
    const reader = new LineReader(row.offset, row.isMid, columns);
    const drawn = [...reader.push(piece.bytes), ...reader.open()][0];
    if (!drawn) return;
    this.larger.set(row.offset, { ...drawn, end: row.end, isCut: drawn.isCut || drawn.end < row.end });
    this.show(this.sight.start, this.sight.end, this.sight.size);
  }

  private forgetAbove(): void {
    const { rows, end, size } = this.sight;
    const many = Math.min(this.tooMany(), this.finished.length, firstAfter(rows, this.looking.top) - 1);
    if (many <= 0) return;
    const start = rows[many]?.offset ?? end;
    if (this.cut && start >= this.cut[1]) this.firstLine = null;
    if (this.firstLine !== null) this.firstLine += newLines(rows, many);
    this.finished = this.finished.slice(many);
    this.show(start, end, size);
  }

  private forgetBelow(): void {
    const { rows, start, end, size } = this.sight;
    const keep = Math.max(rows.length - this.tooMany(), firstAfter(rows, this.looking.bottom));
    if (keep >= rows.length) return;
    this.finished = rows.slice(0, keep);
    this.tail = null;
    this.show(start, this.finished[keep - 1]?.end ?? end, size);
  }

  /** How many rows to forget; half of them at once, so that it does not come up with every piece. */
  private tooMany(): number {
    const { rows, start, end } = this.sight;
    const [from, to] = this.cut ?? [0, 0];
    const nothing = Math.max(0, Math.min(end, to) - Math.max(start, from));
    if (end - start - nothing <= MOST_BYTES && rows.length <= MOST_ROWS) return 0;
    return Math.max(0, rows.length - Math.max(FEWEST_ROWS, Math.floor(rows.length / 2)));
  }

  private show(start: number, end: number, size: number): void {
    const open = this.tail ? this.tail.open() : [];
    let rows = [...this.finished, ...open];
    if (this.larger.size > 0) rows = rows.map((row) => this.enlarged(row));
    this.sight = { ...this.sight, rows, start, end, size, cut: this.cut, firstLine: this.firstLine };
    this.onChange();
  }

  private enlarged(row: Row): Row {
    const larger = this.larger.get(row.offset);
    return larger?.end === row.end ? larger : row;
  }
}

/** How many lines begin after the first row, up to and with the row of this index. */
export function newLines(rows: readonly Row[], index: number): number {
  let lines = 0;
  for (let at = 1; at <= index && at < rows.length; at += 1) if (!rows[at]?.isMid) lines += 1;
  return lines;
}

/** The index of the first row that begins after a place. */
export function firstAfter(rows: readonly Row[], offset: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.offset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the first line begins that is there whole and starts at `before` or earlier; failing that, the first character. */
export function wholeFrom(bytes: Uint8Array, before: number): number {
  const newline = bytes.indexOf(NEWLINE);
  if (newline >= 0 && newline < before) return newline + 1;
  let from = 0;
  while (from < 3 && isInsideCharacter(bytes[from])) from += 1;
  return from;
}
