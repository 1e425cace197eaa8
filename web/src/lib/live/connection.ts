/** This tab's one line to what happens. */
import { chooseCarrier } from "./carriers";
import { LiveClient } from "./client";

const isVisible = () => document.visibilityState === "visible";

function connect(): LiveClient {
  const client = new LiveClient(chooseCarrier(), isVisible());
  document.addEventListener("visibilitychange", () => client.show(isVisible()));
  window.addEventListener("pagehide", () => client.leave());
  window.addEventListener("pageshow", (event) => event.persisted && client.announce());
  window.addEventListener("online", () => client.reconnect());
  return client;
}

let made: LiveClient | null = null;

export function live(): LiveClient {
  made ??= connect();
  return made;
}
