import { LoadingOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useEffect, useState } from "react";
import { useWords } from "@/lib/i18n/language";
import { useLive } from "@/lib/live/Live";
import { words } from "./words";
import "./ConnectionNotice.css";

/** Says that the page is not live, once a break is more than a blink. Lies over the page: nothing moves. */
export function ConnectionNotice() {
  const say = useWords(words);
  const { connection, reconnect } = useLive();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (connection === "open") setShown(false);
    if (connection !== "broken") return;
    const timer = setTimeout(() => setShown(true), 300);
    return () => clearTimeout(timer);
  }, [connection]);
  return (
    <div role="status" className="connection-notice">
      {shown && (
        <div className="connection-notice-box">
          <LoadingOutlined aria-hidden />
          <div className="connection-notice-words">
            <b>{say("reconnecting")}</b>
            <span>{say("reconnectingHint")}</span>
          </div>
          <Button size="small" onClick={reconnect}>
            {say("reconnectNow")}
          </Button>
        </div>
      )}
    </div>
  );
}
