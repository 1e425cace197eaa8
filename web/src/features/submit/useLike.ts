import { useQueries, useQuery } from "@tanstack/react-query";
import { ApiError } from "@/lib/api/client";
import { jobQuery } from "@/lib/api/queries";
import type { JobFields } from "@/lib/api/schema";

/** Of more than so many predecessors the states are not asked for. */
const MOST = 50;

interface Like {
  /** Null while it is not known, and when they are not ours to see. */
  fields: JobFields | null;
  owner: string | null;
  error: Error | null;
  retry: () => void;
}

/** What a copy of a job begins with: its own values; predecessors that have ended count as ended. */
export function useLike(ref: string): Like {
  const { data, error, refetch } = useQuery(jobQuery(ref));
  const predecessors = data?.fields ? [...data.after, ...data.after_ok].slice(0, MOST) : [];
  const asked = useQueries({ queries: predecessors.map((id) => jobQuery(String(id))) });
  const retry = () => void refetch();
  if (!data) return { fields: null, owner: null, error, retry };
  const known = asked.every((each) => each.data || each.error);
  const gone = new Set(
    predecessors.filter((_, place) => {
      const { data: found, error: missing } = asked[place] ?? {};
      return found ? found.job.area === "history" : missing instanceof ApiError && missing.status === 404;
    }),
  );
  const open = (ids: number[]) => ids.filter((id) => !gone.has(id));
  const fields = data.fields && {
    ...data.fields,
    after: open(data.after),
    after_ok: open(data.after_ok),
    hold: false,
  };
  return known
    ? { fields, owner: data.job.owner, error: null, retry }
    : { fields: null, owner: null, error: null, retry };
}
