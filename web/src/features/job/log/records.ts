/** The stream of a followed log: lines of JSON, and behind that of a chunk so many bytes as it says. */

export interface Outcome {
  state: string;
  attempt: number;
  end_reason: string | null;
  exit_code: number | null;
  signal: number | null;
}

export interface RecordListener {
  onBytes(offset: number, bytes: Uint8Array): void;
  onEnd(outcome: Outcome): void;
}

const NEWLINE = 10;

/** Takes the stream however it was cut up. The bytes of a chunk are handed on as they come. */
export class RecordReader {
  private head: number[] = [];
  private offset = 0;
  private left = 0;

  constructor(private readonly listener: RecordListener) {}

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.left > 0) {
        const part = bytes.subarray(at, at + this.left);
        this.listener.onBytes(this.offset, part);
        this.offset += part.length;
        this.left -= part.length;
        at += part.length;
        continue;
      }
      const newline = bytes.indexOf(NEWLINE, at);
      const until = newline < 0 ? bytes.length : newline;
      for (const byte of bytes.subarray(at, until)) this.head.push(byte);
      at = until + 1;
      if (newline >= 0) this.hear();
    }
  }

  private hear(): void {
    const record = JSON.parse(new TextDecoder().decode(new Uint8Array(this.head)));
    this.head = [];
    if (record.event === "chunk") {
      this.offset = record.offset;
      this.left = record.length;
    } else if (record.event === "end") this.listener.onEnd(record);
  }
}
