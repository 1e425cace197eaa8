import { CloseCircleFilled } from "@ant-design/icons";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";

/** The button in a text field that empties it has no name of its own. */
function ClearIcon() {
  const say = useWords(words);
  return (
    <>
      <CloseCircleFilled />
      <span className="only-heard">{say("clear")}</span>
    </>
  );
}

/** `<Input allowClear={clearable} />` */
export const clearable = { clearIcon: <ClearIcon /> };
