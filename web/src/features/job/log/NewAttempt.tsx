import { useNavigate } from "@tanstack/react-router";
import { Button } from "antd";
import { useWords } from "@/lib/i18n/language";
import { UNMARKED } from "./LogChoice";
import { words } from "./words";

/** Offers an attempt that has begun meanwhile; in the line below the log, so that no row moves. */
export function NewAttempt({ number, onShow }: { number: number; onShow: () => void }) {
  const say = useWords(words);
  const navigate = useNavigate({ from: "/jobs/$ref" });
  function show() {
    onShow();
    void navigate({
      search: (now) => ({ ...now, ...UNMARKED, attempt: undefined }),
      replace: true,
      resetScroll: false,
    });
  }
  return (
    <span className="log-newer" role="status">
      {say("newAttempt", { number })}
      <Button size="small" type="primary" onClick={show}>
        {say("showIt")}
      </Button>
    </span>
  );
}
