import { BellOutlined } from "@ant-design/icons";
import { App, Button } from "antd";
import { useWords } from "@/lib/i18n/language";
import { ability, chooseTold, useTold } from "@/lib/notify/choice";
import { words } from "@/lib/notify/words";

/** Offers to tell when my job ends, as long as the user has not said yes. The browser is asked only on a click. */
export function NotifyOffer({ several = false }: { several?: boolean }) {
  const say = useWords(words);
  const { message } = App.useApp();
  const { told } = useTold();
  if (told) return null;

  async function accept() {
    await chooseTold(true);
    const can = ability();
    void message.info(can === "granted" ? say("isOn") : say(can), can === "granted" ? 3 : 8);
  }
  return (
    <Button
      type="link"
      size="small"
      icon={<BellOutlined aria-hidden />}
      style={{ paddingInline: 0 }}
      onClick={() => void accept()}
    >
      {say(several ? "offerAll" : "offer")}
    </Button>
  );
}
