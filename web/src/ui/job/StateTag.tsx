import type { JobState } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { JOB_TONES, type Tone } from "../look/tones";
import { words } from "../words";
import "./StateTag.css";

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

/** `unreachable`: a node of the job does not answer, so that the server does not know how it stands now. */
export function StateTag({ state, unreachable = false }: { state: JobState; unreachable?: boolean }) {
  const say = useVocabulary();
  const sayMore = useWords(words);
  if (unreachable) return <Mark tone="sick">{sayMore("unreachable")}</Mark>;
  return (
    <Mark tone={JOB_TONES[state]} pulse={state === "starting" || state === "stopping"}>
      {say(`state.${state}`)}
    </Mark>
  );
}
