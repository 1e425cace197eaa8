/**
 * Every sentence a person reads, in both languages side by side: `key: [English, 中文]`.
 *
 * A feature keeps its own words next to its pages, so they travel in its chunk. `{name}` is filled in;
 * `{count|job|jobs}` chooses by number in English (the number itself is not repeated).
 */
export type Language = "en" | "zh";
export type Pair = readonly [english: string, chinese: string];
export type Words = Readonly<Record<string, Pair>>;
export type Facts = Readonly<Record<string, string | number>>;
export type Say<W extends Words> = (key: keyof W & string, facts?: Facts) => string;

export function defineWords<const W extends Words>(words: W): W {
  return words;
}

const PLACE = /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g;

export function fill(text: string, facts: Facts = {}): string {
  return text.replace(PLACE, (whole, name: string, one?: string, many?: string) => {
    const fact = facts[name];
    if (fact === undefined) return whole;
    if (one === undefined || many === undefined) return String(fact);
    return fact === 1 ? one : many;
  });
}

export function sayIn<W extends Words>(language: Language, words: W): Say<W> {
  return (key, facts) => {
    const pair = words[key];
    return pair ? fill(pair[language === "zh" ? 1 : 0], facts) : key;
  };
}
