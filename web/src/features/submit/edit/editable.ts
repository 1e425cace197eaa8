/** Whether a job can be edited, and what it is like then. Pure. */
import type { JobDetail, JobFields } from "@/lib/api/schema";
import { isEnded, isOnNodes } from "@/lib/jobStates";

export type Obstacle = "element" | "notYours" | "deleted" | "running" | "array";

export function whyNotEditable(detail: JobDetail): Obstacle | null {
  const { job, may, fields } = detail;
  if (!may?.includes("change") || !fields) return "notYours";
  if (job.index != null) return "element";
  if (job.state === "deleted") return "deleted";
  if (job.array && (isEnded(job.state) || job.array.waiting < job.array.total)) return "array";
  return isOnNodes(job.state) ? "running" : null;
}

/** The job's own values. Whether it is on hold is told by its state. */
export function ownFields({ job, fields }: JobDetail): JobFields {
  return { ...fields, hold: job.state === "held" };
}
