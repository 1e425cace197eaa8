/** The sources of the app as trees, for the checks that go over all of them. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dirname, "..");
/** Written by programs; checked where they are written. */
const GENERATED = new Set(["lib/api/schema.d.ts", "lib/vocabulary.ts"]);

export interface Source {
  /** Below `src/`. */
  path: string;
  text: string;
  tree: ts.SourceFile;
}

export function readSources(): Source[] {
  const names = readdirSync(ROOT, { recursive: true, encoding: "utf-8" });
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("checks/") && !GENERATED.has(name))
    .filter((name) => !/\.test\.tsx?$|(^|\/)samples\.ts$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(ROOT, name), "utf-8");
      const kind = name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
      const tree = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind);
      return { path: relative(ROOT, join(ROOT, name)), text, tree };
    });
}

export interface Sheet {
  /** Below `src/`. */
  path: string;
  text: string;
  selectors: string[];
}

export function readSheets(): Sheet[] {
  const names = readdirSync(ROOT, { recursive: true, encoding: "utf-8" });
  return names
    .filter((name) => name.endsWith(".css"))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), "utf-8").replace(/\/\*[\s\S]*?\*\//g, "");
      return { path, text, selectors: selectorsOf(text) };
    });
}

/** The selectors of all rules, those within conditions too, each of a list by itself. */
function selectorsOf(text: string): string[] {
  const selectors: string[] = [];
  const open: string[] = [];
  for (const [, head = "", brace] of text.matchAll(/([^{};]*)([{}])/g)) {
    if (brace === "}") {
      open.pop();
      continue;
    }
    const isSelector = !head.trim().startsWith("@") && !open.some((each) => each.startsWith("@keyframes"));
    if (isSelector)
      selectors.push(...head.split(/,(?![^(]*\))/).map((each) => each.trim().replace(/\s+/g, " ")));
    open.push(head.trim());
  }
  return selectors;
}

export function readOpenApi(): { components: { schemas: Record<string, Schema> } } {
  return JSON.parse(readFileSync(join(ROOT, "..", "openapi.json"), "utf-8"));
}

export interface Schema {
  enum?: string[];
  properties?: Record<string, unknown>;
}

/** Whether a file holds words in both languages. */
export function isCatalogue(path: string): boolean {
  return /(^|\/)words\.ts$|Words\.ts$/.test(path);
}

/** Where a node stands, as an editor understands it. */
export function placeOf({ path, tree }: Source, node: ts.Node): string {
  const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
  return `${path}:${line + 1}`;
}

export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}
