/** What is wrong with the form, at its fields. Pure. */
import type { Problem } from "@/lib/api/schema";
import type { FieldName } from "./jobForm";
import { fieldOf } from "./sections";

export interface Problems {
  at: ReadonlyMap<FieldName, string>;
  /** Those that have no field to stand at. */
  loose: readonly string[];
}

interface Found {
  /** Fields whose text means nothing, with what to say to that. */
  unread: readonly [FieldName, string][];
  /** What the server found, and what it refused. */
  server: readonly Problem[];
  /** That there is no command yet is no news to a user who has just come. */
  begun: boolean;
}

export function gatherProblems({ unread, server, begun }: Found): Problems {
  const at = new Map<FieldName, string>();
  const loose: string[] = [];
  for (const problem of server) {
    if (problem.code === "no_command" && !begun) continue;
    const field = fieldOf(problem);
    const text = [problem.message, problem.hint].filter(Boolean).join(" ");
    if (field === null) {
      if (!loose.includes(text)) loose.push(text);
    } else if (!at.has(field)) at.set(field, text);
  }
  // The server was not told what could not be read, so this is what there is to say about it.
  for (const [field, text] of unread) at.set(field, text);
  return { at, loose };
}
