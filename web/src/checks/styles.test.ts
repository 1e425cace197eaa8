// @vitest-environment node
import { expect, it } from "vitest";
import { readSheets, readSources } from "./sources";

const sheets = readSheets();
const sources = readSources();

/** What other packages put on the page. */
const FOREIGN = /^(ant-|anticon|cm-|u-|uplot)/;
/** The editor's own colours, which are put into ours. */
const KNOWS_COLORS = ["ui/look/", "ui/code/CodeEditorView.tsx"];

/** The words of all texts in the sources; a text with a hole stands as what is before it: `mark-` of `mark-${tone}`. */
function saidClasses(): { whole: Set<string>; begun: string[] } {
  const texts = sources.map(({ text }) => text).join("\n");
  return {
    whole: new Set(texts.match(/[\w-]+/g)),
    begun: [...texts.matchAll(/([\w-]+-)\$\{/g)].flatMap(([, start]) => start ?? []),
  };
}

it("a class that a style sheet names is given to something", () => {
  const { whole, begun } = saidClasses();
  const unused = sheets.flatMap(({ path, selectors }) =>
    selectors
      .flatMap((selector) => selector.match(/(?<=\.)[a-zA-Z][\w-]*/g) ?? [])
      .filter(
        (name) => !FOREIGN.test(name) && !whole.has(name) && !begun.some((start) => name.startsWith(start)),
      )
      .map((name) => `${path}: .${name}`),
  );
  expect([...new Set(unused)]).toEqual([]);
});

/** Of which two sheets the second is imported behind the first by the same module, to say otherwise on a phone. */
const SECOND = new Map([["features/jobs/grid/JobCards.css", "features/jobs/grid/JobGrid.css"]]);

it("what a selector looks like is said in one sheet, so that their order does not matter", () => {
  const said = new Map<string, Set<string>>();
  for (const { path, selectors } of sheets)
    for (const selector of selectors)
      said.set(selector, (said.get(selector) ?? new Set()).add(SECOND.get(path) ?? path));
  expect([...said].filter(([, paths]) => paths.size > 1)).toEqual([]);
});

it("the palette comes before all other style sheets", () => {
  const main = sources.find(({ path }) => path === "app/main.tsx");
  expect(main?.text.match(/^import .*$/m)?.[0]).toBe('import "@/ui/look/palette.css";');
});

it("colours stand in the palette", () => {
  const own = [...sheets, ...sources]
    .filter(({ path }) => !KNOWS_COLORS.some((place) => path.startsWith(place)))
    .filter(({ text }) => /["\s(]#([0-9a-f]{3}){1,2}\b/i.test(text));
  expect(own.map(({ path }) => path)).toEqual([]);
});
