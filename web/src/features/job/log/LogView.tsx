import { Alert, type InputRef } from "antd";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import type { AttemptRow, LogInfo } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useLive } from "@/lib/live/Live";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { useCopyItems } from "./copy/LogCopyMenu";
import { useLogCopy } from "./copy/useLogCopy";
import { downloadAddress, type LogName, readFrom, streamOf } from "./follow/source";
import { LogStore } from "./follow/store";
import { LogEnd } from "./LogEnd";
import { LogMarked, useCopyLink } from "./LogMarked";
import { LogStatus } from "./LogStatus";
import { LogToolbar } from "./LogToolbar";
import { whyMissing } from "./mark/mark";
import { useLogMark } from "./mark/useLogMark";
import { NewAttempt } from "./NewAttempt";
import { LogRows } from "./rows/LogRows";
import { LogScrollbar } from "./rows/LogScrollbar";
import { askFor } from "./search/search";
import { type Place, useLogSearch } from "./search/useLogSearch";
import { indexAt } from "./text/slice";
import { useLogTimes } from "./times/useLogTimes";
import type { FullScreen } from "./useFullScreen";
import { useLogKeys } from "./useLogKeys";
import type { ShownAttempt } from "./useShownAttempt";
import { words } from "./words";
import "./Log.css";

interface LogViewProps {
  name: LogName;
  info: LogInfo;
  attempt: AttemptRow | undefined;
  /** Where its buttons go. */
  tools: HTMLElement | null;
  full: FullScreen;
  shown: ShownAttempt;
}

const WRAP = "danlu.log.wrap";
const NO_MARKS: readonly number[] = [];

/** One log of one attempt. For another one, give it another key. */
export function LogView({ name, info, attempt, tools, full, shown }: LogViewProps) {
  const { hold, newer, goOn } = shown;
  const say = useWords(words);
  const read = useMemo(() => readFrom(name), [name]);
  const [store] = useState(() => new LogStore(read, streamOf(name), info.ended));
  const state = useSyncExternalStore(store.subscribe, () => store.state);
  const [wrap, setWrap] = useState(() => localStorage.getItem(WRAP) !== "no");
  const [place, setPlace] = useState<Place>({ top: 0, bottom: 0 });
  const latest = useRef(place);
  const onPlace = useCallback((now: Place) => {
    if (now.top === latest.current.top && now.bottom === latest.current.bottom) return;
    latest.current = now;
    setPlace(now);
  }, []);
  const ask = useMemo(() => askFor(name), [name]);
  const search = useLogSearch(
    store,
    ask,
    useCallback(() => latest.current, []),
  );

  const { mark, pick, clear } = useLogMark(store, name);
  const copyLink = useCopyLink();
  async function onLink() {
    const row = state.rows[indexAt(state.rows, latest.current.top)];
    if (!mark && !row) return;
    if (!mark && row) await pick(row, false);
    await copyLink();
  }
  const copy = useLogCopy(read, state, () => latest.current);
  const copying = useCopyItems(copy, state);
  const [isLinked] = useState(mark !== null);
  useEffect(() => {
    if (!isLinked) void store.toEnd();
    return () => store.close();
  }, [store, isLinked]);
  const missing = mark && !state.isFresh ? whyMissing(mark, state) : null;
  useEffect(() => {
    hold(!state.pinned);
    return () => hold(false);
  }, [hold, state.pinned]);
  const { connection } = useLive();
  useEffect(() => {
    if (connection === "open") store.hurry();
  }, [connection, store]);

  const isOver = attempt?.ended_at != null && (info.ended || state.outcome !== null);
  const times = useLogTimes(name, place, !isOver);
  const searchBox = useRef<InputRef>(null);
  useLogKeys({
    s: () => searchBox.current?.focus({ cursor: "all" }),
    p: () => !isOver && (state.pinned ? store.pause() : void store.toEnd()),
    t: times.toggle,
    l: () => void onLink(),
  });
  const footer = isOver && attempt && store.atEnd ? <LogEnd attempt={attempt} /> : null;
  return (
    <>
      {tools &&
        createPortal(
          <LogToolbar
            search={search}
            wrap={wrap}
            setWrap={(now) => {
              localStorage.setItem(WRAP, now ? "yes" : "no");
              setWrap(now);
            }}
            pinned={state.pinned}
            isLive={!isOver}
            onPause={() => store.pause()}
            onStart={() => void store.goTo(0)}
            onEnd={() => void store.toEnd()}
            download={downloadAddress(name)}
            full={full}
            times={times}
            onLink={() => void onLink()}
            copying={copying}
            searchBox={searchBox}
          />,
          tools,
        )}
      <div className="log-note" role="status">
        {search.note && <Alert banner type="info" title={say(search.note)} />}
        {missing && <Alert banner type="warning" title={say(missing)} />}
        {times.problem && <Alert banner type="info" title={say(times.problem)} />}
      </div>
      <div className="log-frame">
        {state.rows.length === 0 && !state.isFresh && (
          <p className="log-nothing">{say(isOver ? "nothingWritten" : "nothingYet")}</p>
        )}
        <LogRows
          store={store}
          wrap={wrap}
          wanted={search.text}
          current={search.current?.offset ?? null}
          onPlace={onPlace}
          footer={footer}
          mark={mark}
          onPick={pick}
          samples={times.samples}
          isFull={full.isFull}
        />
        <LogScrollbar
          size={state.size}
          place={place}
          marks={search.counted?.offsets ?? NO_MARKS}
          onGo={(offset) => void store.goTo(offset)}
        />
      </div>
      {/* Below the rows, so that these stay where they are. */}
      {state.problem && <ErrorNotice error={state.problem} retry={() => void store.tryAgain()} />}
      <LogStatus state={state} isOver={isOver} place={place} path={info.path ?? null}>
        {newer !== null && <NewAttempt number={newer} onShow={goOn} />}
        {mark && !missing && (
          <LogMarked
            mark={mark}
            state={state}
            onShow={() => void store.goTo(mark.at)}
            onClear={clear}
            copy={copy}
          />
        )}
      </LogStatus>
    </>
  );
}
