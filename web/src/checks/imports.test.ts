// @vitest-environment node
import { posix } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { placeOf, readSources, type Source, walk } from "./sources";

/** What each room may know of the others. Packages are everybody's. */
const ROOMS: [room: RegExp, may: RegExp][] = [
  [/^lib\//, /^lib\//],
  [/^ui\//, /^(lib|ui)\//],
  [/^app\//, /^(lib|ui|app)\/|^features\/\w+\/(address|\w+Page)$/],
];

function mayKnow(path: string): RegExp {
  const feature = /^features\/(\w+)\//.exec(path)?.[1];
  if (feature) return new RegExp(`^(lib|ui)/|^app/session$|^features/${feature}/`);
  return ROOMS.find(([room]) => room.test(path))?.[1] ?? /^$/;
}

function importsOf(source: Source): [node: ts.Node, target: string][] {
  const found: [ts.Node, string][] = [];
  walk(source.tree, (node) => {
    const said =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : undefined;
    if (!said || !ts.isStringLiteral(said)) return;
    const target = said.text.startsWith("@/")
      ? said.text.slice(2)
      : said.text.startsWith(".")
        ? posix.join(posix.dirname(source.path), said.text)
        : null;
    if (target) found.push([node, target]);
  });
  return found;
}

const sources = readSources();

it("features do not know each other, and nobody knows what is built on it", () => {
  const found = sources.flatMap((source) =>
    importsOf(source)
      .filter(([, target]) => !mayKnow(source.path).test(target))
      .map(([node, target]) => `${placeOf(source, node)} -> ${target}`),
  );
  expect(found).toEqual([]);
});

it("nothing is asked for on a timer: the stream tells what is stale", () => {
  const polling = sources.filter(
    ({ path, text }) => /refetchInterval|setInterval/.test(text) && path !== "lib/clock.ts",
  );
  expect(polling.map(({ path }) => path)).toEqual([]);
});

it("what is still to come looks and sounds the same everywhere", () => {
  const drawing = sources.filter(({ text }) => /import [^;]*\bSkeleton\b[^;]*from "antd/.test(text));
  expect(drawing.map(({ path }) => path)).toEqual([]);
});

it("no text of anybody becomes part of the page's own code", () => {
  const trusting = sources.filter(({ text }) =>
    /dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML/.test(text),
  );
  expect(trusting.map(({ path }) => path)).toEqual([]);
});
