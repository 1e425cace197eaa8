/** What the search offers, each kind made from what is known of it. */
import { ClusterOutlined, OrderedListOutlined, SearchOutlined, UserOutlined } from "@ant-design/icons";
import type { ReactNode } from "react";
import type { JobRow } from "@/lib/api/schema";
import type { Language, Say } from "@/lib/i18n/words";
import { sayIn } from "@/lib/i18n/words";
import type { AppAction } from "@/ui/action/appActions";
import { StateTag } from "@/ui/job/StateTag";
import type { AppPage } from "../pages";
import { words as appWords } from "../words";
import type { Candidate } from "./ranking";
import type { Chosen } from "./useSearchPanel";
import type { words } from "./words";

export interface Found extends Candidate {
  title: string;
  icon: ReactNode;
  /** Smaller, behind the title. */
  note?: ReactNode;
  chosen: Chosen;
}

export function foundPage({ name, also, to, search, icon }: AppPage, language: Language): Found {
  return {
    key: `page:${name}`,
    kind: "page",
    names: appWords[name],
    also: also && appWords[also],
    title: sayIn(language, appWords)(name),
    icon,
    chosen: { to, search },
  };
}

export function foundAction({ key, name, also, icon, run }: AppAction, language: Language): Found {
  const title = name[language === "zh" ? 1 : 0];
  return { key: `action:${key}`, kind: "action", names: name, also, title, icon, chosen: { run } };
}

export function foundNode(name: string): Found {
  return {
    key: `node:${name}`,
    kind: "node",
    names: [name],
    title: name,
    icon: <ClusterOutlined />,
    chosen: { to: "/nodes/$name", params: { name } },
  };
}

/** Whose jobs they are is what every user may know of another. */
export function foundUser(name: string, say: Say<typeof words>): Found {
  return {
    key: `user:${name}`,
    kind: "user",
    names: [name],
    title: say("jobsOf", { name }),
    icon: <UserOutlined />,
    chosen: { to: "/jobs", search: { owner: name } },
  };
}

export function foundJob({ ref, name, owner, state }: JobRow, isAnswer: boolean): Found {
  return {
    ...jobAt(ref),
    names: [ref, name, owner],
    isAnswer,
    title: name,
    note: (
      <>
        <span className="mono">{ref}</span> {owner} <StateTag state={state} />
      </>
    ),
  };
}

/** A job of which nothing is known but its number. */
export function foundRef(ref: string, say: Say<typeof words>): Found {
  return { ...jobAt(ref), title: say("jobRef", { ref }) };
}

function jobAt(ref: string): Omit<Found, "title"> {
  return {
    key: `job:${ref}`,
    kind: "job",
    names: [ref],
    icon: <OrderedListOutlined />,
    chosen: { to: "/jobs/$ref", params: { ref } },
  };
}

/** The way to the whole list, where the text is a filter. */
export function foundList(text: string, say: Say<typeof words>): Found {
  return {
    key: "list",
    kind: "job",
    names: [],
    title: say("allJobs", { text }),
    icon: <SearchOutlined />,
    chosen: { to: "/jobs", search: { search: text } },
  };
}
