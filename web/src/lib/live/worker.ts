/** The hub of all tabs, in a worker that they share. Its file's name changes with what it does, so that two versions of
 * the app never share one. */
import { Hub } from "./hub";
import type { Tab, ToHub } from "./messages";
import { serverConnection } from "./serverConnection";

const hub = new Hub(serverConnection);

// As much of a shared worker's surroundings as is needed: TypeScript knows either those or a page's.
const here = globalThis as unknown as { onconnect: (event: MessageEvent) => void };

here.onconnect = ({ ports: [port] }) => {
  if (!port) return;
  const tab: Tab = { tell: (message, transfer = []) => port.postMessage(message, transfer) };
  port.onmessage = ({ data }: MessageEvent<ToHub>) => hub.hear(tab, data);
};
