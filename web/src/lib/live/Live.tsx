/** Ties what happens to what the pages show. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { API_ROOT, noteSignedOut } from "../api/client";
import { keys, meQuery } from "../api/queries";
import type { EventRow, Me, NodeRow, Readings } from "../api/schema";
import { useLanguage } from "../i18n/language";
import { live } from "./connection";
import { Invalidation } from "./invalidation";
import type { Connection } from "./messages";
import { applyReadings } from "./readings";
import { staleAfter, staleInQueue } from "./staleness";

interface LiveState {
  connection: Connection;
  reconnect(): void;
  onEvent(listener: (event: EventRow) => void): () => void;
  onReadings(listener: (readings: Readings) => void): () => void;
}

const LiveContext = createContext<LiveState | null>(null);

export function useLive(): LiveState {
  const found = useContext(LiveContext);
  if (!found) throw new Error("useLive is for pages inside of <Live>");
  return found;
}

export function Live({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>("connecting");
  const eventListeners = useRef(new Set<(event: EventRow) => void>());
  const readingListeners = useRef(new Set<(readings: Readings) => void>());

  useEffect(() => {
    const invalidation = new Invalidation(client);
    let broken = false;
    let queueVersion: number | undefined;
    live().onRefused = noteSignedOut;
    setConnection(live().connection);
    const unwatch = live().watch((state) => {
      if (state === "broken") broken = true;
      setConnection(state);
    });
    // From before the page asked for anything: what happens between an answer and the first event is told too.
    const after = client.getQueryData<Me>(keys.me)?.last_event ?? undefined;
    const leaveEvents = live().follow({ kind: "events", after }, (news) => {
      if (news.event === "hello") {
        // Who we are too: another tab may have signed in anew.
        if (news.reset || broken) void client.invalidateQueries();
        broken = false;
      } else if (news.event === "happened") {
        for (const event of news.events) {
          invalidation.add(staleAfter(event));
          for (const listener of eventListeners.current) listener(event);
        }
      }
    });
    const leaveReadings = live().follow({ kind: "readings" }, (news) => {
      if (news.event !== "readings") return;
      const { readings } = news;
      // Most jobs move because of others: no event is theirs.
      if (queueVersion !== undefined && queueVersion !== readings.queue_version)
        invalidation.add(staleInQueue(client.getQueriesData({ queryKey: keys.anyJob })));
      queueVersion = readings.queue_version;
      client.setQueryData<NodeRow[]>(keys.nodes, (nodes) => nodes && applyReadings(nodes, readings));
      for (const listener of readingListeners.current) listener(readings);
    });
    return () => {
      unwatch();
      leaveEvents();
      leaveReadings();
      invalidation.stop();
    };
  }, [client]);

  // The connection is of a session; who may do nothing yet but choose a password has none.
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const csrf = me && !me.must_change_password ? me.csrf_token : null;
  const language = useLanguage();
  useEffect(() => {
    if (csrf) live().setSession({ root: API_ROOT, csrf, language });
  }, [csrf, language]);

  // The same for as long as the page lives: a part that listens misses nothing when the connection changes.
  const listening = useMemo<Omit<LiveState, "connection">>(
    () => ({
      reconnect: () => live().reconnect(),
      onEvent: (listener) => {
        eventListeners.current.add(listener);
        return () => eventListeners.current.delete(listener);
      },
      onReadings: (listener) => {
        readingListeners.current.add(listener);
        return () => readingListeners.current.delete(listener);
      },
    }),
    [],
  );
  const state = useMemo<LiveState>(() => ({ connection, ...listening }), [connection, listening]);
  return <LiveContext value={state}>{children}</LiveContext>;
}
