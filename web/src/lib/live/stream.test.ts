import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Hello, LiveStream } from "./stream";

/** A connection that says what a test tells it to. */
class ScriptedSource extends EventTarget {
  static opened: ScriptedSource[] = [];
  onerror: (() => void) | null = null;
  constructor(readonly url: string) {
    super();
    ScriptedSource.opened.push(this);
  }
  close(): void {}
  hello(data: Hello): void {
    this.dispatchEvent(new MessageEvent("hello", { data: JSON.stringify(data) }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  ScriptedSource.opened = [];
  vi.stubGlobal("EventSource", ScriptedSource);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("everything is asked for afresh where old events are gone, or another server answers", () => {
  const greeted: boolean[] = [];
  const ignore = () => undefined;
  const stream = new LiveStream({
    onEvent: ignore,
    onReadings: ignore,
    onHello: (_hello, anew) => greeted.push(anew),
    onConnection: ignore,
  });
  stream.open();
  const [source] = ScriptedSource.opened;
  source?.hello({ after: 5, server: "a" });
  source?.hello({ after: 5, server: "a", reset: true });
  source?.hello({ after: 5, server: "a", reset: false });
  source?.hello({ after: 5, server: "b", reset: false });
  expect(greeted).toEqual([false, true, false, true]);
  stream.close();
});
