/** How well a text fits what things are called, and in which order they are offered. Pure. */

export const KINDS = ["page", "action", "node", "user", "job"] as const;
export type Kind = (typeof KINDS)[number];

export interface Candidate {
  key: string;
  kind: Kind;
  /** What it is called. */
  names: readonly string[];
  /** Other words that it may be looked for by, each from its beginning. */
  also?: readonly string[];
  /** The server found it for this very text, by its own rule. */
  isAnswer?: boolean;
}

export interface Group<C extends Candidate> {
  kind: Kind;
  found: C[];
}

export enum Fit {
  None,
  Inside,
  Word,
  Beginning,
  Whole,
}

const HAN = /^\p{Script=Han}/u;
const LETTER = /[\p{L}\p{N}]$/u;
const JOB = /^#?(\d+(?:\[\d+\])?)$/;

/** As texts are compared: without a difference of case, or between the wide characters of an input method and others. */
export function folded(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase();
}

/** The job that a text is the number of: `12`, `#12`, `12[3]`. */
export function jobRefIn(text: string): string | null {
  return JOB.exec(folded(text))?.[1] ?? null;
}

/** How well a text fits the best of some names. Of several words each must fit one. */
export function fitOf(text: string, names: readonly string[]): Fit {
  const wanted = folded(text);
  if (!wanted) return Fit.None;
  const whole = bestOf(wanted, names);
  const words = wanted.split(/\s+/);
  if (whole !== Fit.None || words.length === 1) return whole;
  return Math.min(Fit.Word, ...words.map((word) => bestOf(word, names)));
}

function bestOf(wanted: string, names: readonly string[]): Fit {
  return Math.max(Fit.None, ...names.map((name) => fitOne(wanted, folded(name))));
}

function fitOne(wanted: string, name: string): Fit {
  if (name === wanted) return Fit.Whole;
  if (name.startsWith(wanted)) return Fit.Beginning;
  let fit = Fit.None;
  for (let at = name.indexOf(wanted); at > 0; at = name.indexOf(wanted, at + 1)) {
    // Chinese words have no space before them.
    if (HAN.test(wanted) || !LETTER.test(name.slice(0, at))) return Fit.Word;
    // One letter is inside of nearly everything.
    if (wanted.length > 1) fit = Fit.Inside;
  }
  return fit;
}

/** How well a text fits something, by its names or else by the other words for it. */
export function fitFor(text: string, { names, also = [] }: Pick<Candidate, "names" | "also">): Fit {
  const fit = fitOf(text, names);
  const isMeant = fit < Fit.Word && also.length > 0 && fitOf(text, [...names, ...also]) >= Fit.Word;
  return isMeant ? Fit.Word : fit;
}

/**
 * What fits, in groups, each with at most so many. A job that is named by its number comes first, then what is known
 * here and fits well, then the jobs that the server found, then what merely has the text inside.
 */
export function rank<C extends Candidate>(
  text: string,
  candidates: readonly C[],
  most: Readonly<Record<Kind, number>>,
): Group<C>[] {
  const ref = jobRefIn(text);
  const groups = KINDS.map((kind) => {
    const fits = candidates
      .filter((each) => each.kind === kind)
      .map((each) => ({ each, fit: fitFor(ref ?? text, each) }))
      .filter(({ each, fit }) => fit !== Fit.None || each.isAnswer)
      .sort((a, b) => b.fit - a.fit);
    const best = fits[0]?.fit ?? Fit.None;
    return { kind, found: fits.slice(0, most[kind]).map(({ each }) => each), weight: weigh(kind, best, ref) };
  });
  return groups
    .filter(({ found }) => found.length > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ kind, found }) => ({ kind, found }));
}

function weigh(kind: Kind, best: Fit, ref: string | null): number {
  if (kind === "job") return ref !== null && best === Fit.Whole ? Fit.Whole + 1 : Fit.Inside + 0.5;
  return best;
}
