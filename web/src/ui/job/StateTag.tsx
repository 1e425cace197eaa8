import type { JobState } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { Mark } from "../look/Mark";
import { JOB_TONES } from "../look/tones";
import { words } from "../words";

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
