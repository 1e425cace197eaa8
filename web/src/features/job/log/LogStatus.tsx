import { Typography } from "antd";
import { formatBytes, formatRounded } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { Mark } from "@/ui/StateTag";
import { cameSince } from "./since";
import type { LogState } from "./store";
import type { Place } from "./useLogSearch";
import { words } from "./words";

interface LogStatusProps {
  state: LogState;
  isOver: boolean;
  place: Place;
  path: string | null;
}

/** Where we are in the log, whether it is live, and where it lies. */
export function LogStatus({ state, isOver, place, path }: LogStatusProps) {
  const say = useWords(words);
  const at = Math.min(place.bottom, state.size);
  return (
    <div className="log-status">
      <Condition state={state} isOver={isOver} />
      <span className="log-status-size number">
        {say("positionOf", { at: formatBytes(at), size: formatBytes(state.size) })}
      </span>
      {state.cut && (
        <span className="log-status-size number">
          {say("cut", { size: formatBytes(state.cut[1] - state.cut[0]) })}
        </span>
      )}
      {path && (
        <Typography.Text
          className="log-status-path mono"
          type="secondary"
          ellipsis={{ tooltip: path }}
          copyable={{ text: path }}
          aria-label={say("path")}
        >
          {path}
        </Typography.Text>
      )}
    </div>
  );
}

function Condition({ state, isOver }: { state: LogState; isOver: boolean }) {
  const say = useWords(words);
  const language = useLanguage();
  const { line, pinned } = state;
  const since = cameSince(state);
  if (isOver) return <Mark tone="idle">{say("whole")}</Mark>;
  if (line === "broken") return <Mark tone="foreign">{say("reconnecting")}</Mark>;
  if (!pinned) {
    return (
      <span className="log-status-paused">
        <Mark tone="idle">{say("paused")}</Mark>
        {since && (
          <span className="number">
            {say(since.isCounted ? "sinceLines" : "sinceAbout", {
              count: since.lines,
              lines: formatRounded(since.lines, language),
              size: formatBytes(since.bytes),
            })}
          </span>
        )}
      </span>
    );
  }
  if (line === "racing") return <Mark tone="foreign">{say("racing")}</Mark>;
  return <Mark tone="free">{say("following")}</Mark>;
}
