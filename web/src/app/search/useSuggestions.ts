/** What is offered before anything is typed: where the user was, the latest jobs, and what is done most. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { jobListQuery, jobQuery } from "@/lib/api/queries";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { maySubmit } from "@/lib/rights";
import { useAppActions } from "@/ui/action/appActions";
import { pagesFor } from "../pages";
import { useMe } from "../session";
import { type Found, foundAction, foundJob, foundNode, foundPage } from "./found";
import { recentOf } from "./recent";
import type { Matches } from "./useMatches";
import { words } from "./words";

const MOST_RECENT = 4;
const MOST_JOBS = 4;
const MOST_ACTIONS = 7;

export function useSuggestions(wanted: boolean): Matches {
  const say = useWords(words);
  const language = useLanguage();
  const me = useMe();
  const actions = useAppActions();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  const [visited] = useState(() => recentOf(me.name));
  const addresses = visited.filter((each) => each !== here).slice(0, MOST_RECENT);
  const refs = addresses.flatMap((each) => /^\/jobs\/(\d+)$/.exec(each)?.[1] ?? []);
  const details = useQueries({
    queries: refs.map((ref) => ({ ...jobQuery(ref), enabled: wanted, retry: false })),
  });
  const mine = maySubmit(me);
  const jobs = useQuery({
    ...jobListQuery({ ...(mine && { mine }), limit: MOST_JOBS }),
    enabled: wanted,
    retry: false,
  });

  const pages = pagesFor(me);
  function foundAt(address: string): Found[] {
    const page = pages.find(({ to, search }) => to === address && !search);
    if (page) return [foundPage(page, language)];
    const node = /^\/nodes\/([^/]+)$/.exec(address)?.[1];
    if (node) return [foundNode(decodeURIComponent(node))];
    const job = details[refs.findIndex((ref) => address === `/jobs/${ref}`)]?.data?.job;
    return job ? [foundJob(job, true)] : [];
  }
  const recent = addresses.flatMap(foundAt);
  const isNew = ({ key }: Found) => !recent.some((each) => each.key === key);
  const first = pages.filter(({ name }) => name === "newJob").map((page) => foundPage(page, language));
  const suggested = actions.filter(({ isHidden }) => !isHidden);
  const sections = [
    { title: say("recent"), found: recent },
    {
      title: say(mine ? "myLatest" : "latest"),
      found: (jobs.data?.jobs ?? []).map((job) => foundJob(job, true)).filter(isNew),
    },
    {
      title: say("action"),
      found: [...first.filter(isNew), ...suggested.map((each) => foundAction(each, language))].slice(
        0,
        MOST_ACTIONS,
      ),
    },
  ];
  return {
    sections: sections.filter(({ found }) => found.length > 0),
    isPending: wanted && jobs.isPending && !jobs.error,
    error: wanted ? jobs.error : null,
  };
}
