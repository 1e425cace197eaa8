/** Everything that fits a text: what is known here at once, the jobs as soon as the server has answered. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { jobListQuery, nodesQuery, usersQuery } from "@/lib/api/queries";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { useAppActions } from "@/ui/action/appActions";
import { pagesFor } from "../pages";
import { useMe } from "../session";
import {
  type Found,
  foundAction,
  foundJob,
  foundList,
  foundNode,
  foundPage,
  foundRef,
  foundUser,
} from "./found";
import { fitOf, jobRefIn, type Kind, rank } from "./ranking";
import { words } from "./words";

/** Long enough for the next letter, short enough not to be waited for. */
const PAUSE_MS = 150;
const MOST: Record<Kind, number> = { page: 5, action: 5, node: 5, user: 3, job: 8 };

export interface Section {
  title: string;
  found: Found[];
}

export interface Matches {
  sections: Section[];
  isPending: boolean;
  error: Error | null;
}

export function useMatches(text: string): Matches {
  const say = useWords(words);
  const language = useLanguage();
  const me = useMe();
  const actions = useAppActions();
  const asked = useSettled(text);
  const wanted = text !== "";
  const isAdmin = me.role === "admin";
  const nodes = useQuery({ ...nodesQuery, enabled: wanted, retry: false });
  const users = useQuery({ ...usersQuery, enabled: wanted && isAdmin, retry: false });
  // A text that was typed on is asked for no longer: who asks last is answered.
  const jobs = useQuery({
    ...jobListQuery({ search: asked, limit: MOST.job }),
    enabled: asked !== "" && wanted,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const isAnswered = asked === text && jobs.isSuccess && !jobs.isPlaceholderData;
  const rows = wanted ? (jobs.data?.jobs ?? []) : [];
  const ref = jobRefIn(text);
  // Until the server knows better, there may be a job of this number. It tells of no elements of arrays.
  const mayBeJob = ref && !rows.some((row) => row.ref === ref) && (ref.includes("[") || !isAnswered);
  const names = new Set([
    ...(users.data ?? []).map(({ name }) => name),
    ...rows.map(({ owner }) => owner).filter((owner) => fitOf(text, [owner])),
  ]);
  const groups = rank(
    text,
    [
      ...pagesFor(me).map((page) => foundPage(page, language)),
      ...actions.map((action) => foundAction(action, language)),
      ...(nodes.data ?? []).map(({ name }) => foundNode(name)),
      ...[...names].map((name) => foundUser(name, say)),
      ...(mayBeJob ? [foundRef(ref, say)] : []),
      ...rows.map((row) => foundJob(row, isAnswered)),
    ],
    MOST,
  );
  const sections = groups.map(({ kind, found }) => ({ title: say(kind), found }));
  const list = sections.find(({ found }) => found[0]?.kind === "job");
  if (list) list.found.push(foundList(text, say));
  else if (wanted) sections.push({ title: say("job"), found: [foundList(text, say)] });
  return { sections, isPending: wanted && !isAnswered && !jobs.error, error: wanted ? jobs.error : null };
}

/** What was typed, once there was a pause. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === "" ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
