/** Which columns a list has. A name is a class as well: the widths stand in JobGrid.css. */
import type { ReactNode } from "react";
import type { JobRow } from "@/lib/api/schema";
import type { Say } from "@/lib/i18n/words";
import type { vocabulary } from "@/lib/vocabulary";
import { Ago } from "@/ui/value/Time";
import type { AreaName } from "../address";
import type { words } from "../words";
import { AskCell, EndCell, RanCell, RunningCell, StateCell, WhereCell } from "./cells";

export interface Column {
  name: string;
  title: (say: Say<typeof words>, known: Say<typeof vocabulary>) => string;
  show: (job: JobRow) => ReactNode;
}

const WHERE: Column = { name: "where", title: (say) => say("where"), show: (job) => <WhereCell job={job} /> };

/** Those between the owner and the menu; the others every list has. */
export const COLUMNS: Record<AreaName, readonly Column[]> = {
  waiting: [
    { name: "ask", title: (say) => say("ask"), show: (job) => <AskCell job={job} /> },
    {
      name: "time",
      title: (_, known) => known("label.submitted"),
      show: (job) => <Ago at={job.submitted_at} />,
    },
  ],
  running: [
    WHERE,
    {
      name: "state",
      title: (_, known) => known("label.state"),
      show: (job) => <StateCell job={job} />,
    },
    { name: "time", title: (say) => say("runningFor"), show: (job) => <RunningCell job={job} /> },
  ],
  history: [
    WHERE,
    { name: "state", title: (say) => say("end"), show: (job) => <EndCell job={job} /> },
    { name: "ran", title: (say) => say("ran"), show: (job) => <RanCell job={job} /> },
    { name: "time", title: (_, known) => known("label.ended"), show: (job) => <Ago at={job.ended_at} /> },
  ],
};
