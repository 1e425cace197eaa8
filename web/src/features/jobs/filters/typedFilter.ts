/** What is typed into the filter of the lists: words, and a tag as `tag:project=vit`. Pure. */
export interface TypedFilter {
  search?: string | undefined;
  tag?: string | undefined;
}

const TAG = /(?:^|\s)tag:(?:"([^"]+)"|(\S+))/;

/** Both are said, so that what is no longer typed goes from the address. */
export function readTyped(text: string): { search: string | undefined; tag: string | undefined } {
  const found = TAG.exec(text);
  const rest = (found ? text.replace(found[0], " ") : text).replace(/\s+/g, " ").trim();
  return { search: rest || undefined, tag: found ? (found[1] ?? found[2]) : undefined };
}

export function writeTyped({ search, tag }: TypedFilter): string {
  const word = tag && (/\s/.test(tag) ? `tag:"${tag}"` : `tag:${tag}`);
  return [word, search].filter(Boolean).join(" ");
}
