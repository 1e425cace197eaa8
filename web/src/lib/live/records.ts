/** A stream of records: lines of JSON, and behind that of a chunk so many bytes as it says. */

export interface StreamRecord {
  channel?: number;
  event: string;
  [fact: string]: unknown;
}

export interface RecordListener {
  onRecord(record: StreamRecord): void;
  onBytes(channel: number, offset: number, bytes: Uint8Array<ArrayBuffer>): void;
}

const NEWLINE = 10;

/** Takes the stream however it was cut up. The bytes of a chunk are handed on as they come. */
export class RecordReader {
  private head: Uint8Array[] = [];
  private channel = 0;
  private offset = 0;
  private left = 0;

  constructor(private readonly listener: RecordListener) {}

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.left > 0) {
        // A copy: what is handed to a tab leaves with its memory.
        const part = bytes.slice(at, at + this.left);
        this.offset += part.length;
        this.left -= part.length;
        at += part.length;
        this.listener.onBytes(this.channel, this.offset - part.length, part);
        continue;
      }
      const newline = bytes.indexOf(NEWLINE, at);
      const until = newline < 0 ? bytes.length : newline;
      this.head.push(bytes.slice(at, until));
      at = until + 1;
      if (newline >= 0) this.hear();
    }
  }

  private hear(): void {
    const decoder = new TextDecoder();
    const line = this.head.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
    this.head = [];
    const record: StreamRecord = JSON.parse(line);
    if (record.event !== "chunk") {
      this.listener.onRecord(record);
      return;
    }
    this.channel = Number(record.channel);
    this.offset = Number(record.offset);
    this.left = Number(record.length);
  }
}
