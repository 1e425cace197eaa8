import {
  CaretRightOutlined,
  DownloadOutlined,
  DownOutlined,
  EnterOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  PauseOutlined,
  SearchOutlined,
  UpOutlined,
  VerticalAlignBottomOutlined,
  VerticalAlignTopOutlined,
  WarningOutlined,
} from "@ant-design/icons";
import { Button, Input, Space, Tooltip } from "antd";
import type { ReactNode } from "react";
import { formatNumber } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { clearable } from "@/ui/clearable";
import { placeOf } from "./search";
import type { FullScreen } from "./useFullScreen";
import type { LogSearch } from "./useLogSearch";
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
  download: string;
  full: FullScreen;
}

/** What can be done with a log; it stands beside the choice of one. */
export function LogToolbar(props: LogToolbarProps) {
  const { search, wrap, setWrap, pinned, isLive, onPause, onEnd, onStart, download, full } = props;
  const say = useWords(words);
  return (
    <>
      <div className="log-search">
        <Input
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
          <IconButton
            label={say("previousMatch")}
            icon={<UpOutlined />}
            onClick={() => search.step(true)}
            disabled={!search.text}
          />
          <IconButton
            label={say("nextMatch")}
            icon={<DownOutlined />}
            onClick={() => search.step(false)}
            disabled={!search.text}
          />
        </Space.Compact>
      </div>
      <div className="log-errors">
        <span className="log-errors-name">
          <WarningOutlined aria-hidden />
          <span>{say("trouble")}</span>
        </span>
        <Space.Compact>
          <IconButton
            label={say("previousError")}
            icon={<UpOutlined />}
            onClick={() => search.stepError(true)}
          />
          <IconButton
            label={say("nextError")}
            icon={<DownOutlined />}
            onClick={() => search.stepError(false)}
          />
        </Space.Compact>
      </div>
      <div className="log-moves">
        <IconButton
          label={say("wrap")}
          icon={<EnterOutlined />}
          onClick={() => setWrap(!wrap)}
          isPressed={wrap}
        />
        <IconButton label={say("toStart")} icon={<VerticalAlignTopOutlined />} onClick={onStart} />
        {!isLive && (
          <IconButton label={say("toEnd")} icon={<VerticalAlignBottomOutlined />} onClick={onEnd} />
        )}
        <Tooltip title={say("download")}>
          <Button icon={<DownloadOutlined />} href={download} download aria-label={say("download")} />
        </Tooltip>
        <IconButton
          label={say(full.isFull ? "leaveFull" : "full")}
          icon={full.isFull ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
          onClick={full.toggle}
        />
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

interface IconButtonProps {
  label: string;
  icon: ReactNode;
  onClick: () => void;
  disabled?: boolean;
  isPressed?: boolean;
}

function IconButton({ label, icon, onClick, disabled, isPressed }: IconButtonProps) {
  return (
    <Tooltip title={label}>
      <Button
        icon={icon}
        aria-label={label}
        aria-pressed={isPressed}
        className={isPressed ? "log-pressed" : undefined}
        onClick={onClick}
        disabled={disabled}
      />
    </Tooltip>
  );
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
