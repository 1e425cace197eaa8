import { Tooltip } from "antd";
import type { NodeRow } from "@/lib/api/schema";
import { useNow } from "@/lib/clock";
import { formatAgo, formatExact } from "@/lib/format";
import { useLanguage } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { Mark } from "../look/Mark";

type MarkedNode = Pick<NodeRow, "state" | "since" | "drained" | "quarantine" | "out_of_service">;

/** Whether a node is there; a lost one says since when. */
export function NodeMark({ node }: { node: MarkedNode }) {
  const say = useVocabulary();
  if (node.state === "lost") return <LostMark since={node.since} />;
  if (node.quarantine) return <SickMark word={say("node.quarantined")} why={node.quarantine} />;
  if (node.out_of_service) return <SickMark word={say("node.out_of_service")} why={node.out_of_service} />;
  if (node.drained) return <Mark tone="idle">{say("node.drained")}</Mark>;
  return <Mark tone="free">{say("node.up")}</Mark>;
}

function SickMark({ word, why }: { word: string; why: string }) {
  return (
    <Tooltip title={why}>
      <span>
        <Mark tone="sick">{word}</Mark>
      </span>
    </Tooltip>
  );
}

function LostMark({ since }: { since: number }) {
  const say = useVocabulary();
  const language = useLanguage();
  const now = useNow();
  return (
    <Tooltip title={formatExact(since, language)}>
      <span>
        <Mark tone="sick">
          <span>
            {say("node.lost")} ·{" "}
            <time dateTime={new Date(since * 1000).toISOString()}>{formatAgo(since, now, language)}</time>
          </span>
        </Mark>
      </span>
    </Tooltip>
  );
}
