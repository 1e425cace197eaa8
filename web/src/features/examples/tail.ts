/** The last lines of a growing log, as a terminal would show them. Pure. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal takes as orders.
const ORDERS = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007/g;

/** More than this is never kept of a log. */
const MOST_CHARACTERS = 20_000;

/** Added to what is kept, without letting it grow. */
export function append(kept: string, added: string): string {
  return (kept + added).slice(-MOST_CHARACTERS);
}

/** A progress bar that draws over itself is one line: what it drew last. */
export function lastLines(text: string, count: number): string[] {
  const lines = text.replace(ORDERS, "").replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.slice(-count).map((line) => line.split("\r").findLast(Boolean) ?? "");
}
