import { Typography } from "antd";
import type { ReactNode } from "react";
import { formatBytes, formatNumber, formatRounded } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { Mark } from "@/ui/look/Mark";
import { amountOf } from "./amount";
import type { LogState } from "./follow/store";
import type { Place } from "./search/useLogSearch";
import { cameSince } from "./since";
import { words } from "./words";

interface LogStatusProps {
  state: LogState;
  isOver: boolean;
  place: Place;
  path: string | null;
  /** What else is to be said or done: lines that are marked, a new attempt. */
  children?: ReactNode;
}

/** How much there is of the log, whether it is live, and where it lies. */
export function LogStatus({ state, isOver, place, path, children }: LogStatusProps) {
  const say = useWords(words);
  const { cut, size } = state;
  return (
    <div className="log-status">
      <Condition state={state} isOver={isOver} />
      {size > 0 && <HowMuch state={state} place={place} />}
      {cut && (
        <span className="log-status-size number">
          {say("cut", {
            size: formatBytes(cut[1] - cut[0]),
            from: formatBytes(cut[0]),
            to: formatBytes(cut[1]),
          })}
        </span>
      )}
      {children}
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

function HowMuch({ state, place }: { state: LogState; place: Place }) {
  const say = useWords(words);
  const language = useLanguage();
  const amount = amountOf(state, place);
  const size = formatBytes(state.size);
  let told: string;
  if (amount.kind === "lines") {
    const { lines } = amount;
    told = say("allLines", { count: lines, lines: formatNumber(lines, language), size });
  } else {
    const parts = { first: "firstShown", last: "lastShown", middle: "partShown" } as const;
    told = say(parts[amount.kind], { size, shown: formatBytes(amount.shown), percent: amount.percent });
  }
  return <span className="log-status-size number">{told}</span>;
}

function Condition({ state, isOver }: { state: LogState; isOver: boolean }) {
  const say = useWords(words);
  const language = useLanguage();
  const { stream, pinned } = state;
  const since = cameSince(state);
  if (isOver) return <Mark tone="idle">{say("whole")}</Mark>;
  if (stream === "broken") return <Mark tone="foreign">{say("reconnecting")}</Mark>;
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
  if (stream === "racing") return <Mark tone="foreign">{say("racing")}</Mark>;
  return <Mark tone="free">{say("following")}</Mark>;
}
