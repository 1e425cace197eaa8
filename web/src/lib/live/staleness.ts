/** Which answers an event makes stale. Pure, so that it can be read and tested as a table. */
import { keys } from "../api/queries";
import type { EventRow, JobDetail } from "../api/schema";

type Key = readonly unknown[];

export function staleAfter(event: Pick<EventRow, "kind" | "job" | "index">): Key[] {
  const [room] = event.kind.split(".");
  switch (room) {
    case "job":
      // The list of users says how many jobs each has.
      return [keys.jobs, keys.status, keys.nodes, keys.users, ...jobKeys(event)];
    case "node":
      // Whether a job can be reached depends on its nodes.
      return [keys.nodes, keys.status, keys.jobs, keys.anyJob];
    case "gpu":
      return [keys.nodes, keys.status, keys.jobs];
    case "scheduling":
      return [keys.scheduling, keys.status, keys.jobs, keys.settingsHistory];
    case "disk":
      return [keys.status, keys.jobs, keys.anyJob];
    case "settings":
      return [keys.settings, keys.me, keys.newJob];
    case "user":
      return [keys.me, keys.defaults, keys.newJob, keys.users];
    case "notice":
      return [keys.notices];
    case "backup":
      return [keys.backups];
    default:
      return [];
  }
}

/** What says a job's place, of all that is remembered, when jobs have moved in the queue. */
export function staleInQueue(jobs: readonly (readonly [Key, unknown])[]): Key[] {
  const waiting = jobs.filter(
    ([, data]) => (data as Partial<JobDetail> | undefined)?.job?.state === "waiting",
  );
  return [keys.jobs, ...waiting.map(([key]) => key)];
}

/** A task's change is news for its array as well. */
function jobKeys({ job, index }: Pick<EventRow, "job" | "index">): Key[] {
  if (job === null || job === undefined) return [];
  const whole = keys.job(String(job));
  return index === null || index === undefined ? [whole] : [whole, keys.job(`${job}[${index}]`)];
}
