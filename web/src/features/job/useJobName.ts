import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { words } from "./words";

/** How a job is called inside of a sentence, and at the start of one. */
export function useJobName({ ref, name }: Pick<JobRow, "ref" | "name">): { inside: string; start: string } {
  const say = useWords(words);
  const inside = name ? say("named", { ref, name }) : say("namedPlain", { ref });
  return { inside, start: inside.charAt(0).toUpperCase() + inside.slice(1) };
}
