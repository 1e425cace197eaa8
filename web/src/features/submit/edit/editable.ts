/** Whether a job can be edited, and what it is like then. Pure. */
import type { JobDetail, JobFields } from "@/lib/api/schema";

export type Obstacle = "element" | "notYours" | "deleted" | "running" | "array";

const ENDED: readonly string[] = ["succeeded", "failed", "cancelled"];

export function isEnded({ job }: JobDetail): boolean {
  return ENDED.includes(job.state);
}

export function whyNotEditable(detail: JobDetail): Obstacle | null {
  const { job, mine, fields } = detail;
  if (!mine || !fields) return "notYours";
  if (job.index != null) return "element";
  if (job.state === "deleted") return "deleted";
  if (job.array && (isEnded(detail) || job.array.waiting < job.array.total)) return "array";
  return ["starting", "running", "stopping"].includes(job.state) ? "running" : null;
}

/** The job's own values. Whether it is on hold is told by its state. */
export function ownFields({ job, fields }: JobDetail): JobFields {
  return { ...fields, hold: job.state === "held" };
}
