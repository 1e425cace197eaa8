/** Ties the stream of events to what the pages show. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { keys, meQuery } from "../api/queries";
import type { EventRow, NodeRow, Readings } from "../api/schema";
import { Invalidation } from "./invalidation";
import { applyReadings } from "./readings";
import { staleAfter } from "./staleness";
import { type Connection, LiveStream } from "./stream";

interface LiveState {
  connection: Connection;
  reconnect(): void;
  onEvent(listener: (event: EventRow) => void): () => void;
  onReadings(listener: (readings: Readings) => void): () => void;
}

const LiveContext = createContext<LiveState | null>(null);

export function useLive(): LiveState {
  const live = useContext(LiveContext);
  if (!live) throw new Error("useLive is for pages inside of <Live>");
  return live;
}

export function Live({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>("connecting");
  const stream = useRef<LiveStream | null>(null);
  const eventListeners = useRef(new Set<(event: EventRow) => void>());
  const readingListeners = useRef(new Set<(readings: Readings) => void>());

  useEffect(() => {
    const invalidation = new Invalidation(client);
    let broken = false;
    const opened = new LiveStream({
      onEvent(event) {
        invalidation.add(staleAfter(event));
        for (const listener of eventListeners.current) listener(event);
      },
      onReadings(readings) {
        client.setQueryData<NodeRow[]>(keys.nodes, (nodes) => nodes && applyReadings(nodes, readings));
        for (const listener of readingListeners.current) listener(readings);
      },
      onHello(_hello, anew) {
        // Who we are too: another tab may have signed in anew.
        if (anew || broken) void client.invalidateQueries();
        broken = false;
      },
      onConnection(state) {
        if (state === "broken") broken = true;
        setConnection(state);
      },
    });
    stream.current = opened;
    opened.open();
    const online = () => opened.reconnect();
    window.addEventListener("online", online);
    return () => {
      window.removeEventListener("online", online);
      invalidation.stop();
      opened.close();
    };
  }, [client]);

  // A stream ends with its session; the next one begins with the next session.
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const session = me && !me.must_change_password ? me.csrf_token : null;
  const before = useRef(session);
  useEffect(() => {
    if (session && before.current !== session) stream.current?.reconnect();
    before.current = session;
  }, [session]);

  const live = useMemo<LiveState>(
    () => ({
      connection,
      reconnect: () => stream.current?.reconnect(),
      onEvent: (listener) => {
        eventListeners.current.add(listener);
        return () => eventListeners.current.delete(listener);
      },
      onReadings: (listener) => {
        readingListeners.current.add(listener);
        return () => readingListeners.current.delete(listener);
      },
    }),
    [connection],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}
