import ts from "typescript";
import { describe, expect, it } from "vitest";
import type { Words } from "@/lib/i18n/words";
import { vocabulary } from "@/lib/vocabulary";
import { isWorded } from "./literals";
import { isCatalogue, readOpenApi, readSources, walk } from "./sources";

const CJK = /\p{Script=Han}/u;
const PLACE = /\{(\w+)(?:\|[^|}]*\|[^|}]*)?\}/g;

const modules = import.meta.glob<Record<string, Words>>(["../**/words.ts", "../**/*Words.ts"], {
  eager: true,
});
const catalogues: [string, Words][] = Object.entries(modules)
  .flatMap(([path, module]) =>
    Object.entries(module).map(([name, words]): [string, Words] => [`${path} ${name}`, words]),
  )
  .filter(([, words]) => typeof words === "object" && !Array.isArray(words) && words !== vocabulary)
  .concat([["vocabulary", vocabulary]]);

/** The facts that a text needs. A mere choice between one and many is for languages that make one. */
function placesOf(text: string): string[] {
  const told = [...text.matchAll(PLACE)].filter(([whole]) => !whole.includes("|"));
  return [...new Set(told.map(([, name]) => name ?? ""))].sort();
}

describe.each(catalogues)("%s", (_name, words) => {
  const pairs = Object.entries(words);

  it("says everything in both languages", () => {
    expect(pairs.length).toBeGreaterThan(0);
    const silent = pairs.filter(([, pair]) => pair.length !== 2 || !pair.every((text) => text.trim()));
    expect(silent.map(([key]) => key)).toEqual([]);
  });

  it("says it with the same facts", () => {
    const unlike = pairs.filter(
      ([, [english, chinese]]) => placesOf(english).join() !== placesOf(chinese).join(),
    );
    expect(unlike.map(([key]) => key)).toEqual([]);
  });

  it("says it in Chinese where there is a Chinese word", () => {
    // What is the same in both is a name, a unit or a sign.
    const mixed = pairs.filter(
      ([, [english, chinese]]) => english !== chinese && !CJK.test(chinese) && isWorded(chinese),
    );
    const wrong = pairs.filter(([, [english, chinese]]) => english !== chinese && CJK.test(english));
    expect([...mixed, ...wrong].map(([key]) => key)).toEqual([]);
  });

  it("leaves no brace open", () => {
    const broken = pairs.filter(([, pair]) => pair.some((text) => /[{}]/.test(text.replace(PLACE, ""))));
    expect(broken.map(([key]) => key)).toEqual([]);
  });
});

it("every catalogue has only words that the app says", () => {
  const said = new Set<string>();
  const made: [head: string, tail: string][] = [];
  for (const { path, tree } of readSources()) {
    // A catalogue may have what says its words beside it.
    walk(tree, (node) => {
      if (ts.isStringLiteralLike(node)) said.add(node.text);
      // say(`${action}Done`)
      if (ts.isTemplateExpression(node)) {
        const tail = node.templateSpans.at(-1)?.literal.text ?? "";
        if ((node.head.text + tail).length > 3) made.push([node.head.text, tail]);
      }
      // `TONES: {free: …}`, and then `say(tone)`.
      if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && !isCatalogue(path))
        said.add(node.name.text);
    });
  }
  // A word for each value that the server may send is chosen by that value.
  const sent = new Set(
    Object.values(readOpenApi().components.schemas).flatMap(({ enum: values = [] }) => values),
  );
  const isSaid = (key: string) =>
    said.has(key) || sent.has(key) || made.some(([head, tail]) => key.startsWith(head) && key.endsWith(tail));
  const unsaid = catalogues
    .filter(([name]) => name !== "vocabulary")
    .flatMap(([name, words]) =>
      Object.keys(words)
        .filter((key) => !isSaid(key))
        .map((key) => `${name}: ${key}`),
    );
  expect(unsaid).toEqual([]);
});

describe("the vocabulary shared with the command line", () => {
  const { schemas } = readOpenApi().components;

  it.each([
    ["state", schemas.JobState?.enum],
    ["end", schemas.EndReason?.enum],
  ])("has a word for each %s", (room, values) => {
    expect(values?.length).toBeGreaterThan(0);
    expect(values?.filter((value) => !(`${room}.${value}` in vocabulary))).toEqual([]);
  });

  it("has a word for each field of a job", () => {
    const fields = Object.keys(schemas.JobFields?.properties ?? {});
    expect(fields.length).toBeGreaterThan(20);
    expect(fields.filter((name) => !(`label.${name}` in vocabulary))).toEqual([]);
  });
});
