import { useNavigate } from "@tanstack/react-router";
import { Button } from "antd";
import { useMe } from "@/app/session";
import { useWords } from "@/lib/i18n/language";
import { maySubmit } from "@/lib/rights";
import { Nothing } from "@/ui/page/Nothing";
import { AREAS, type AreaName, countFilters, type JobsSearch } from "./address";
import { words } from "./words";
import "./EmptyList.css";

const NOTHING = { waiting: "nothingWaiting", running: "nothingRunning", history: "nothingEnded" } as const;

interface EmptyListProps {
  search: JobsSearch & { area: AreaName };
  counts: Readonly<Record<string, number>> | undefined;
  onClear: () => void;
}

export function EmptyList({ search, counts, onClear }: EmptyListProps) {
  const say = useWords(words);
  const navigate = useNavigate();
  const submits = maySubmit(useMe());
  const isElsewhere = AREAS.some((area) => counts?.[area]);
  const nothing = NOTHING[search.area];
  return (
    <div className="empty-list">
      {countFilters(search) > 0 ? (
        <Nothing
          title={say("noMatch")}
          hint={isElsewhere ? say("noMatchHint") : undefined}
          action={<Button onClick={onClear}>{say("clearAll")}</Button>}
        />
      ) : (
        <Nothing
          title={say(nothing)}
          hint={submits || nothing === "nothingEnded" ? say(`${nothing}Hint`) : undefined}
          action={
            submits && <Button onClick={() => void navigate({ to: "/jobs/new" })}>{say("newJob")}</Button>
          }
        />
      )}
    </div>
  );
}
