import { CloseOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useWords } from "@/lib/i18n/language";
import type { AreaName } from "./address";
import { offers } from "./selection";
import type { ActOnJobs } from "./useJobActions";
import type { Selection } from "./useSelection";
import { words } from "./words";
import "./SelectionBar.css";

/** What can be done with the chosen jobs. It lies over the page, so that nothing moves when it comes. */
export function SelectionBar({
  area,
  selection,
  actions,
}: {
  area: AreaName;
  selection: Selection;
  actions: ActOnJobs;
}) {
  const say = useWords(words);
  const { jobs, gone } = selection;
  if (jobs.length === 0) return null;
  return (
    <section className="selection-bar" aria-label={say("selectionBar")}>
      <Button
        type="text"
        icon={<CloseOutlined />}
        aria-label={say("clearSelection")}
        onClick={selection.clear}
      />
      <div className="selection-count" role="status">
        <b className="number">{say("selected", { count: jobs.length })}</b>
        {gone > 0 && <span className="soft">{say("selectedGone", { count: gone })}</span>}
      </div>
      <div className="selection-actions">
        {offers(area, jobs).map(({ action, apt }) => (
          <Button
            key={action}
            danger={action === "cancel" || action === "delete"}
            disabled={!apt && gone === 0}
            loading={actions.busy}
            onClick={() => actions.ask(action, jobs)}
          >
            {say(action)}
          </Button>
        ))}
      </div>
    </section>
  );
}
