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
