import { Button, Modal } from "antd";
import { useState } from "react";
import type { Me } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";
import { LoginByLink } from "./LoginByLink";
import { LoginForm } from "./LoginForm";

/** Over the page, which stays as it is: a half-filled form is not lost with a session. */
export default function LoginAgain({ me, onSignedIn }: { me: Me; onSignedIn: (me: Me) => void }) {
  const say = useWords(words);
  const [byLink, setByLink] = useState(!me.has_password);
  return (
    <Modal
      open
      title={say("expiredTitle")}
      footer={null}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      width={440}
    >
      <p>{say("expiredHint")}</p>
      {byLink ? (
        <LoginByLink onSignedIn={onSignedIn} />
      ) : (
        <LoginForm name={me.name} onSignedIn={onSignedIn} />
      )}
      <div style={{ display: "flex", flexWrap: "wrap", justifyContent: "space-between", marginTop: 12 }}>
        {me.has_password && (
          <Button type="link" size="small" style={{ padding: 0 }} onClick={() => setByLink(!byLink)}>
            {say(byLink ? "byPassword" : "byLink")}
          </Button>
        )}
        <Button type="link" size="small" style={{ padding: 0 }} onClick={() => window.location.reload()}>
          {say("notMe", { name: me.name })}
        </Button>
      </div>
    </Modal>
  );
}
