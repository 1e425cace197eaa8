import { ArrowUpOutlined } from "@ant-design/icons";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";

/** Says that there is something new on top, without moving what is being read. */
export function NewAbove({ count, onClick }: { count: number; onClick: () => void }) {
  const say = useWords(words);
  if (count === 0) return null;
  return (
    <div className="jobs-newer">
      <button type="button" onClick={onClick} aria-label={say("toNewest", { count })}>
        <ArrowUpOutlined aria-hidden /> {say("newAbove", { count })}
      </button>
    </div>
  );
}
