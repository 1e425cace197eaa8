import { Alert, QRCode, Select } from "antd";
import { useId, useState } from "react";
import type { LoginLink } from "@/lib/api/schema";
import { formatDuration } from "@/lib/format";
import { useWords } from "@/lib/i18n/language";
import { Secret } from "@/ui/value/Secret";
import { WithCode } from "@/ui/value/WithCode";
import { words } from "./words";

/** Scanners want dark on light, whatever the page looks like. */
const INK = "black";
const PAPER = "white";

interface LinkElsewhereProps {
  link: LoginLink;
  /** Seconds until it ends. */
  left: number;
}

/** A one-time link as another device can use it: an address that works there, and a code to scan. */
export function LinkElsewhere({ link, left }: LinkElsewhereProps) {
  const say = useWords(words);
  const [chosen, setChosen] = useState(0);
  const addressId = useId();
  const { elsewhere = [] } = link;
  const url = elsewhere[chosen] ?? link.url;
  const address = new URL(url).origin;
  return (
    <div className="account-link">
      {elsewhere.length > 0 ? (
        <>
          <div
            className="account-code"
            role="img"
            aria-label={say("linkCode", { address })}
            data-address={address}
          >
            <div aria-hidden>
              <QRCode value={url} type="svg" size={184} color={INK} bgColor={PAPER} />
            </div>
          </div>
          <p>{say("linkScan")}</p>
        </>
      ) : (
        <Alert
          type="warning"
          showIcon
          title={say("linkOnlyHere")}
          description={<WithCode text={say("linkOnlyHereText")} />}
        />
      )}
      {elsewhere.length > 1 && (
        <p>
          <label htmlFor={addressId}>{say("linkAddress")}</label>
          <Select
            id={addressId}
            className="mono"
            value={chosen}
            options={elsewhere.map((each, place) => ({ value: place, label: new URL(each).origin }))}
            onChange={setChosen}
          />
        </p>
      )}
      <Secret label={say("linkLabel")} value={url} />
      <p className="account-secret-note soft number">
        {elsewhere.length > 0 && `${say("linkWhich")} `}
        {say("linkEnds", { left: formatDuration(left) })}
      </p>
    </div>
  );
}
