import { Tooltip } from "antd";
import { useNow } from "@/lib/clock";
import { formatAgo, formatDuration, formatExact } from "@/lib/format";
import { useLanguage } from "@/lib/i18n/language";

/** "3 minutes ago", with the exact time on hover. */
export function Ago({ at }: { at: number | null | undefined }) {
  const now = useNow();
  const language = useLanguage();
  if (at === null || at === undefined) return <span className="soft">–</span>;
  return (
    <Tooltip title={formatExact(at, language)}>
      <time className="number" dateTime={new Date(at * 1000).toISOString()}>
        {formatAgo(at, now, language)}
      </time>
    </Tooltip>
  );
}

/** How long from `from` to `to`, or until now, ticking. */
export function Lasting({ from, to }: { from: number | null | undefined; to?: number | null }) {
  const now = useNow();
  if (from === null || from === undefined) return <span className="soft">–</span>;
  return <span className="number">{formatDuration((to ?? now) - from)}</span>;
}
