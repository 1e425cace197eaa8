import { Alert, Button } from "antd";
import { useWords } from "@/lib/i18n/language";
import { words } from "./words";

export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  const say = useWords(words);
  return (
    <Alert
      type="info"
      showIcon
      role="status"
      title={say("draftRestored")}
      action={
        <Button size="small" onClick={onDiscard}>
          {say("draftDiscard")}
        </Button>
      }
    />
  );
}
