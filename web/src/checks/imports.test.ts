// @vitest-environment node
import { posix } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { placeOf, readSources, type Source, walk } from "./sources";

/**
 * What each room may import besides its own modules: a room (`ui/form`: the modules in that folder) or one module
 * (`app/session`). A sub-room knows only the siblings and the shared modules of its feature that are named here.
 */
const LIB = ["lib", "lib/api", "lib/i18n", "lib/live", "lib/notify"];
const UI_ROOMS = ["action", "chart", "code", "form", "gpu", "job", "look", "node", "notice", "page", "value"];
const GROUND = [...LIB, "ui/words", ...UI_ROOMS.map((room) => `ui/${room}`)];
const FEATURE = [...GROUND, "app/session"];

const ROOMS: Record<string, readonly string[]> = {
  lib: ["lib/api", "lib/i18n"],
  "lib/api": ["lib/i18n"],
  "lib/i18n": [],
  "lib/live": ["lib", "lib/api", "lib/i18n"],
  "lib/notify": ["lib", "lib/api", "lib/i18n"],

  ui: LIB,
  "ui/look": ["lib/api"],
  "ui/action": [...LIB, "ui/words"],
  "ui/chart": [...LIB, "ui/words"],
  "ui/code": LIB,
  "ui/form": [...LIB, "ui/words"],
  "ui/value": [...LIB, "ui/words", "ui/look"],
  "ui/page": [...LIB, "ui/words", "ui/action"],
  "ui/job": [...LIB, "ui/words", "ui/action", "ui/look"],
  "ui/notice": [...LIB, "ui/look"],
  "ui/gpu": [...LIB, "ui/job", "ui/look", "ui/value"],
  "ui/node": [...LIB, "ui/form", "ui/gpu", "ui/look", "ui/page"],

  app: [...GROUND, "app/login", "app/shell"],
  "app/login": [...GROUND, "app/words", "app/shell/LanguageSwitch", "app/shell/Logo"],
  "app/search": [...GROUND, "app/words", "app/pages", "app/session"],
  "app/shell": [...GROUND, "app/words", "app/pages", "app/session", "app/search/SearchBox"],

  "features/account": FEATURE,
  "features/examples": FEATURE,
  "features/serverlog": FEATURE,

  ...feature("admin", ["Section", "useAttempt", "admin.css"], {
    audit: [],
    backups: [],
    notices: [],
    settings: ["audit"],
    users: [],
  }),
  ...feature("job", ["words", "Panel", "OnNodes", "useJobName"], {
    actions: [],
    array: ["actions"],
    graph: [],
    timeline: [],
  }),
  ...feature("job/log", ["words"], {
    text: [],
    follow: ["text"],
    search: ["follow"],
    times: ["follow", "search"],
    mark: ["text", "follow"],
    copy: ["text", "follow", "search", "mark"],
    rows: ["text", "follow", "search", "times", "mark"],
  }),
  ...feature("jobs", ["words", "address", "heights"], {
    cells: [],
    filters: [],
    foreign: [],
    pages: [],
    selection: [],
    reorder: ["pages"],
    actions: ["pages", "reorder", "selection"],
    grid: ["actions", "cells", "pages", "reorder", "selection"],
  }),
  ...feature("nodes", ["words", "disks", "useDrain"], {
    charts: [],
    findings: [],
    gpus: [],
    table: ["findings", "gpus"],
  }),
  ...feature("overview", ["words", "MyJob"], { wall: [] }),
  ...feature("submit", ["words"], {
    form: [],
    fields: ["form"],
    panel: ["form"],
    sections: ["fields", "form"],
  }),
  "features/submit/edit": [
    ...FEATURE,
    "features/submit/words",
    "features/submit/JobEditor",
    "features/submit/form",
  ],
};
// A page's log is a room of the job's page.
ROOMS["features/job"] = [...(ROOMS["features/job"] ?? []), "features/job/log/LogCard"];
ROOMS["features/submit"] = [...(ROOMS["features/submit"] ?? []), "features/submit/edit"];

/** A feature with its sub-rooms: it knows all of them; each knows the feature's shared modules and the named siblings. */
function feature(name: string, shared: readonly string[], rooms: Record<string, readonly string[]>) {
  const at = (room: string) => `features/${name}/${room}`;
  const entries = Object.entries(rooms).map(([room, siblings]): [string, readonly string[]] => [
    at(room),
    [...FEATURE, ...[...shared, ...siblings].map(at)],
  ]);
  return Object.fromEntries([
    [`features/${name}`, [...FEATURE, ...Object.keys(rooms).map(at)]] as [string, readonly string[]],
    ...entries,
  ]);
}

/** The app's pages, which the router alone loads. */
const PAGES = /^features\/\w+(\/\w+)?\/(address|\w+Page)$/;

function mayKnow(path: string, target: string): boolean {
  const room = posix.dirname(path);
  const its = posix.dirname(target);
  if (its === room || (path === "app/router.tsx" && PAGES.test(target))) return true;
  return ROOMS[room]?.some((each) => each === target || each === its) ?? false;
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

it("a room imports only the rooms that are named for it", () => {
  const found = sources.flatMap((source) =>
    importsOf(source)
      .filter(([, target]) => !mayKnow(source.path, target))
      .map(([node, target]) => `${placeOf(source, node)} -> ${target}`),
  );
  expect(found).toEqual([]);
});

it("rooms are named once, and none is named that is gone", () => {
  const there = new Set(sources.map(({ path }) => posix.dirname(path)));
  expect(Object.keys(ROOMS).sort()).toEqual([...there].sort());
});

it("no room knows, over however many others, one that knows it", () => {
  const beyond = (room: string, path: readonly string[]): string[] =>
    path.includes(room)
      ? [[...path.slice(path.indexOf(room)), room].join(" -> ")]
      : (ROOMS[room] ?? []).filter((each) => each in ROOMS).flatMap((next) => beyond(next, [...path, room]));
  expect([...new Set(Object.keys(ROOMS).flatMap((room) => beyond(room, [])))]).toEqual([]);
});

it("a folder holds about twenty modules at most: a larger one has rooms in it", () => {
  const counts = new Map<string, number>();
  for (const { path } of sources) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
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

it("no text from outside becomes part of the page's own code", () => {
  const trusting = sources.filter(({ text }) =>
    /dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML/.test(text),
  );
  expect(trusting.map(({ path }) => path)).toEqual([]);
});
