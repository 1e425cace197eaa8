// @vitest-environment node
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { findLiterals } from "./literals";
import { isCatalogue, placeOf, readSources, walk } from "./sources";

const CJK = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;
/** A language is named in its own words, for who cannot read the present ones. */
const IN_ITS_OWN_WORDS = "app/shell/LanguageSwitch.tsx";

const sources = readSources();

describe("text for people", () => {
  it("stands in a catalogue, not in the code", () => {
    const found = sources
      .filter(({ path }) => !isCatalogue(path) && path !== IN_ITS_OWN_WORDS)
      .flatMap((source) =>
        findLiterals(source.tree).map(
          ({ node, text }) => `${placeOf(source, node)}: ${text.trim().slice(0, 60)}`,
        ),
      );
    expect(found).toEqual([]);
  });

  it("in Chinese stands in a catalogue alone", () => {
    const found = sources
      .filter(({ path }) => !isCatalogue(path) && path !== IN_ITS_OWN_WORDS)
      .flatMap((source) => {
        const places: string[] = [];
        walk(source.tree, (node) => {
          const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node);
          if (isText && CJK.test(node.getText(source.tree))) places.push(placeOf(source, node));
        });
        return places;
      });
    expect(found).toEqual([]);
  });
});

describe("the search for such text", () => {
  function texts(code: string): string[] {
    const tree = ts.createSourceFile("x.tsx", code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
    return findLiterals(tree).map(({ text }) => text.trim());
  }

  it.each([
    ["<b>Hello</b>", ["Hello"]],
    ["<b>{'Hello'}</b>", ["Hello"]],
    ["<b>{ok ? 'Yes' : `No`}</b>", ["Yes", "No"]],
    ["<b>{busy && 'Wait'}</b>", ["Wait"]],
    ["<b>{name ?? 'nobody'}</b>", ["nobody"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    ["<b>{`${count} jobs`}</b>", ["jobs"]],
    ["<img alt='A cat' />", ["A cat"]],
    ["<Input aria-label={'Name'} placeholder='Yours' className='mono' />", ["Name", "Yours"]],
    ["<Modal title={'a' + name} okText={say('ok')} />", ["a"]],
    ["modal.confirm({ title: 'Really?', okText: say('yes') })", ["Really?"]],
    ["message.success('Done')", ["Done"]],
  ])("finds it in %s", (code, expected) => {
    expect(texts(code)).toEqual(expected);
  });

  it.each([
    "<b>{say('hello')}</b>",
    "<b className='mono'>: {count} %</b>",
    "<b>GPU {index}</b>",
    "<Input placeholder='--gpus' />",
    "<code>python train.py</code>",
    "<Input placeholder='0' type='search' />",
    "<Link to='/jobs'>{say('jobs')}</Link>",
    "state === 'waiting' && <b>{say('waiting')}</b>",
    "<b>{state === 'waiting' ? say('a') : say('b')}</b>",
  ])("leaves %s alone", (code) => {
    expect(texts(code)).toEqual([]);
  });
});
