/** Which colour means what: one table for states, marks, meters and the tab's icon. The colours are in palette.css. */
import type { JobState } from "@/lib/api/schema";

export type Tone = "free" | "busy" | "shared" | "foreign" | "sick" | "idle";

export const JOB_TONES: Record<JobState, Tone> = {
  waiting: "foreign",
  held: "idle",
  starting: "busy",
  running: "busy",
  stopping: "idle",
  succeeded: "free",
  failed: "sick",
  cancelled: "idle",
  deleted: "idle",
};

/** The conditions of a GPU. Those without a colour of their own cannot be used now, for no fault of theirs. */
export const GPU_TONES = {
  free: "free",
  busy: "busy",
  shared: "shared",
  foreign: "foreign",
  sick: "sick",
  drained: "idle",
  unmanaged: "idle",
  lost: "idle",
} as const satisfies Record<string, Tone>;

/** The icons of a tab in `public/`, which know no style sheet. */
export const ICON_TONES = { running: "busy", good: "free", bad: "sick" } as const satisfies Record<
  string,
  Tone
>;
