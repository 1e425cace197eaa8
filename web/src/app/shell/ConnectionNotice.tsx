import { LoadingOutlined } from "@ant-design/icons";
import { useEffect, useState } from "react";
import { useWords } from "@/lib/i18n/language";
import { useLive } from "@/lib/live/Live";
import { words } from "../words";
import "./ConnectionNotice.css";

/** A break this short is not worth a word. */
const BLINK_MS = 300;
/** What is said stays long enough to be read, and the page does not move there and back at once. */
const READ_MS = 1500;

/** Whether the page says that it is not live. */
export function useIsCutOff(): boolean {
  const { connection } = useLive();
  const [cutOff, setCutOff] = useState(false);
  useEffect(() => {
    if (connection === "connecting") return;
    const timer = setTimeout(
      () => setCutOff(connection === "broken"),
      connection === "open" ? READ_MS : BLINK_MS,
    );
    return () => clearTimeout(timer);
  }, [connection]);
  return cutOff;
}

/** Says that the page is not live, where nothing lies under it. */
export function ConnectionNotice({ shown }: { shown: boolean }) {
  const say = useWords(words);
  const { reconnect } = useLive();
  return (
    <div role="status" className="connection-notice">
      {shown && (
        <div className="connection-notice-row">
          <LoadingOutlined />
          <b>{say("reconnecting")}</b>
          <span title={say("reconnectingHint")}>{say("reconnectingHint")}</span>
          <button type="button" onClick={reconnect}>
            {say("reconnectNow")}
          </button>
        </div>
      )}
    </div>
  );
}
