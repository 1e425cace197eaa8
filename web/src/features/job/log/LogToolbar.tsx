import {
  CaretRightOutlined,
  ClockCircleOutlined,
  DownloadOutlined,
  DownOutlined,
  EnterOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  LinkOutlined,
  PauseOutlined,
  SearchOutlined,
  UpOutlined,
  VerticalAlignBottomOutlined,
  VerticalAlignTopOutlined,
  WarningOutlined,
} from "@ant-design/icons";
import { Button, Input, type InputRef, Space } from "antd";
import type { Ref } from "react";
import { formatNumber } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { useNarrow } from "@/lib/narrow";
import { clearable } from "@/ui/form/clearable";
import type { CopyItems } from "./copy/LogCopyMenu";
import { LogTools, LogToolsMenu, type Tool, ToolButton } from "./LogTools";
import { placeOf } from "./search/search";
import type { LogSearch } from "./search/useLogSearch";
import type { LogTimesView } from "./times/useLogTimes";
import type { FullScreen } from "./useFullScreen";
import { words } from "./words";

interface LogToolbarProps {
  search: LogSearch;
  wrap: boolean;
  setWrap: (wrap: boolean) => void;
  pinned: boolean;
  /** More may come: it can be followed. */
  isLive: boolean;
  onPause: () => void;
  onEnd: () => void;
  onStart: () => void;
  /** Copy a link to what is marked, or to the first line in view. */
  onLink: () => void;
  download: string;
  full: FullScreen;
  times: LogTimesView;
  copying: CopyItems;
  searchBox: Ref<InputRef>;
}

/** What can be done with a log; it stands beside the choice of one. */
export function LogToolbar(props: LogToolbarProps) {
  const { search, searchBox, pinned, isLive, onPause, onEnd, full, copying } = props;
  const say = useWords(words);
  const isNarrow = useNarrow();
  const tools = useTools(props);
  const fullTool = {
    key: "full",
    label: say(full.isFull ? "leaveFull" : "full"),
    icon: full.isFull ? <FullscreenExitOutlined /> : <FullscreenOutlined />,
    onClick: full.toggle,
  };
  return (
    <>
      <div className="log-search">
        <Input
          ref={searchBox}
          value={search.text}
          onChange={(event) => search.setText(event.target.value)}
          placeholder={say("search")}
          aria-label={say("search")}
          prefix={<SearchOutlined aria-hidden />}
          suffix={<Found search={search} />}
          allowClear={clearable}
          maxLength={200}
          onKeyDown={(event) => {
            if (event.key === "Enter") search.step(event.shiftKey);
            if (event.key === "Escape") search.setText("");
          }}
        />
        <Space.Compact>
          <ToolButton
            tool={{
              label: say("previousMatch"),
              icon: <UpOutlined />,
              onClick: () => search.step(true),
              disabled: !search.text,
            }}
          />
          <ToolButton
            tool={{
              label: say("nextMatch"),
              icon: <DownOutlined />,
              onClick: () => search.step(false),
              disabled: !search.text,
            }}
          />
        </Space.Compact>
      </div>
      <div className="log-errors">
        <span className="log-errors-name">
          <WarningOutlined aria-hidden />
          <span>{say("trouble")}</span>
        </span>
        <Space.Compact>
          <ToolButton
            tool={{
              label: say("previousError"),
              icon: <UpOutlined />,
              onClick: () => search.stepError(true),
            }}
          />
          <ToolButton
            tool={{ label: say("nextError"), icon: <DownOutlined />, onClick: () => search.stepError(false) }}
          />
        </Space.Compact>
      </div>
      <div className="log-moves">
        {isNarrow ? (
          <>
            <ToolButton tool={fullTool} />
            <LogToolsMenu tools={tools} copying={copying} />
          </>
        ) : (
          <>
            <LogTools tools={tools} copying={copying} />
            <ToolButton tool={fullTool} />
          </>
        )}
        {isLive &&
          (pinned ? (
            <Button className="log-follow" icon={<PauseOutlined aria-hidden />} onClick={onPause}>
              {say("pause")}
            </Button>
          ) : (
            <Button
              className="log-follow"
              type="primary"
              icon={<CaretRightOutlined aria-hidden />}
              onClick={onEnd}
            >
              {say("follow")}
            </Button>
          ))}
      </div>
    </>
  );
}

/** What the menu has on a phone, and a row of buttons elsewhere. */
function useTools({
  wrap,
  setWrap,
  isLive,
  onEnd,
  onStart,
  onLink,
  download,
  times,
}: LogToolbarProps): Tool[] {
  const say = useWords(words);
  return [
    {
      key: "wrap",
      label: say("wrap"),
      icon: <EnterOutlined />,
      onClick: () => setWrap(!wrap),
      isPressed: wrap,
    },
    {
      key: "times",
      label: say("times"),
      shortcut: "T",
      icon: <ClockCircleOutlined />,
      onClick: times.toggle,
      isPressed: times.isOn,
    },
    { key: "start", label: say("toStart"), icon: <VerticalAlignTopOutlined />, onClick: onStart },
    ...(isLive
      ? []
      : [{ key: "end", label: say("toEnd"), icon: <VerticalAlignBottomOutlined />, onClick: onEnd }]),
    { key: "link", label: say("linkPlace"), shortcut: "L", icon: <LinkOutlined />, onClick: onLink },
    { key: "download", label: say("download"), icon: <DownloadOutlined />, download },
  ];
}

/** How many there are, and which one this is. */
function Found({ search: { text, counted, current, note } }: { search: LogSearch }) {
  const say = useWords(words);
  const language = useLanguage();
  if (!text || !counted) return <span className="log-found" />;
  const count = formatNumber(counted.offsets.length, language);
  const place = current && placeOf(counted, current.offset);
  let told: string;
  if (note === "none") told = "0";
  else if (!counted.isWhole && counted.offsets.length < 1000) told = say("counting", { count });
  else
    told = say(counted.isWhole ? "countOf" : "countMany", {
      place: place ? formatNumber(place, language) : "–",
      count,
    });
  return (
    <span className="log-found number" role="status">
      {told}
    </span>
  );
}
