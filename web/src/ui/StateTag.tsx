import type { JobState } from "@/lib/api/schema";
import { useVocabulary } from "@/lib/vocabulary-words";
import "./StateTag.css";

type Tone = "free" | "busy" | "shared" | "foreign" | "sick" | "idle";

const TONES: Record<JobState, Tone> = {
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

/** A dot and a word: never a colour alone. */
export function Mark({
  tone,
  children,
  pulse = false,
}: {
  tone: Tone;
  children: React.ReactNode;
  pulse?: boolean;
}) {
  return (
    <span className={`mark mark-${tone}${pulse ? " mark-pulse" : ""}`}>
      <i aria-hidden="true" />
      {children}
    </span>
  );
}

export function StateTag({ state }: { state: JobState }) {
  const say = useVocabulary();
  return (
    <Mark tone={TONES[state]} pulse={state === "starting" || state === "stopping"}>
      {say(`state.${state}`)}
    </Mark>
  );
}
