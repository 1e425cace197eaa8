import { FullscreenOutlined, LogoutOutlined } from "@ant-design/icons";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { NodeRow, Status } from "@/lib/api/schema";
import { useNow } from "@/lib/clock";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { useLive } from "@/lib/live/Live";
import type { ConditionCounts } from "@/ui/gpu/GpuCondition";
import { goodCount, missingCount } from "@/ui/look/countTone";
import { words } from "../words";

interface WallHeadProps {
  counts: ConditionCounts;
  status: Status | undefined;
  nodes: readonly NodeRow[];
}

export function WallHead({ counts, status, nodes }: WallHeadProps) {
  const say = useWords(words);
  const { connection } = useLive();
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const up = nodes.filter(({ state }) => state === "up").length;
  return (
    <header className="wall-head">
      <h1 className="only-heard">{say("wall")}</h1>
      <Figure tone={goodCount(counts.free)} of={total} label={say("freeOf", { total: counts.free })}>
        {counts.free}
      </Figure>
      <Figure label={say("running")}>{status?.running ?? say("unknown")}</Figure>
      <Figure label={say("waiting")}>{status?.waiting ?? say("unknown")}</Figure>
      <Figure label={say("nodesUp")} of={nodes.length} tone={missingCount(up, nodes.length)}>
        {up}
      </Figure>
      <div className="wall-notice" role="status">
        {connection === "broken" ? say("reconnecting") : status?.paused ? say("paused") : null}
      </div>
      <div className="wall-tools">
        <button
          type="button"
          aria-label={say("fullscreen")}
          title={say("fullscreen")}
          onClick={() => void document.documentElement.requestFullscreen?.()}
        >
          <FullscreenOutlined />
        </button>
        <Link to="/" aria-label={say("leave")} title={`${say("leave")} (Esc)`}>
          <LogoutOutlined />
        </Link>
      </div>
      <Clock />
    </header>
  );
}

interface FigureProps {
  label: string;
  of?: number;
  tone?: string;
  children: ReactNode;
}

function Figure({ label, of, tone, children }: FigureProps) {
  return (
    <div className="wall-figure">
      <b className={`number ${tone ?? ""}`}>{children}</b>
      {of !== undefined && <span className="number soft">/ {of}</span>}
      <span className="wall-label">{label}</span>
    </div>
  );
}

function Clock() {
  const language = useLanguage();
  const now = new Date(useNow() * 1000);
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  return (
    <time className="wall-clock" dateTime={now.toISOString()}>
      <b className="number">{now.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}</b>
      <span className="soft">
        {now.toLocaleDateString(locale, { weekday: "long", day: "numeric", month: "long" })}
      </span>
    </time>
  );
}
