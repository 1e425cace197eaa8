import { DownOutlined, LinkOutlined } from "@ant-design/icons";
import { App, Button, Dropdown, Space } from "antd";
import { copyText } from "@/lib/clipboard";
import { formatNumber } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import type { LogCopy } from "./copy/useLogCopy";
import type { LogState } from "./follow/store";
import { lineOf, type Mark } from "./mark/mark";
import { words } from "./words";

interface LogMarkedProps {
  mark: Mark;
  state: LogState;
  onShow: () => void;
  onClear: () => void;
  copy: LogCopy;
}

/** Which lines are marked, and what can be done with them. */
export function LogMarked({ mark, state, onShow, onClear, copy }: LogMarkedProps) {
  const say = useWords(words);
  const copyLink = useCopyLink();
  return (
    <Space.Compact className="log-marked">
      <Button size="small" icon={<LinkOutlined aria-hidden />} onClick={() => void copyLink()}>
        {say("copyLink")}
      </Button>
      <Dropdown
        trigger={["click"]}
        placement="topLeft"
        menu={{
          items: [
            { key: "plain", label: say("copyMarked"), onClick: () => void copy.marked(mark, "plain") },
            {
              key: "colours",
              label: say("copyMarkedColours"),
              onClick: () => void copy.marked(mark, "colours"),
            },
            { key: "show", label: say("showMarked"), onClick: onShow },
            { key: "clear", label: say("clearMark"), onClick: onClear },
          ],
        }}
      >
        <Button size="small">
          <span className="number">{useMarkName(mark, state)}</span> <DownOutlined aria-hidden />
        </Button>
      </Dropdown>
    </Space.Compact>
  );
}

/** Lines by their numbers where these are known, otherwise by bytes. */
function useMarkName({ at, to }: Mark, state: LogState): string {
  const say = useWords(words);
  const language = useLanguage();
  const [first, last] = [lineOf(state, at), lineOf(state, to)];
  const isCounted = first !== null && last !== null;
  const [from, until] = (isCounted ? [first, last] : [at, to]).map((each) => formatNumber(each, language));
  if (from === until) return say(isCounted ? "markedLine" : "markedByte", { from: from ?? "" });
  return say(isCounted ? "markedLines" : "markedBytes", { from: from ?? "", until: until ?? "" });
}

/** The address of the page is the link; it says what is marked. */
export function useCopyLink(): () => Promise<void> {
  const say = useWords(words);
  const { message } = App.useApp();
  return async () => {
    const isCopied = await copyText(window.location.href);
    if (isCopied) void message.success(say("linkCopied"));
    else void message.warning(say("linkNotCopied"));
  };
}
