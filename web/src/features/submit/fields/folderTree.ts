/** Folders as they were looked into, as a tree. Pure. */
import type { FolderEntry, FolderPage } from "@/lib/api/schema";

export interface FolderNode {
  key: string;
  title: string;
  isLeaf: boolean;
  disabled?: boolean;
  children?: FolderNode[];
}

/** `pages` by path; that of "" holds the roots. Folders not looked into yet have no children. */
export function growTree(pages: ReadonlyMap<string, FolderPage>): FolderNode[] {
  return (pages.get("")?.folders ?? []).map((root) => grow(root, pages, new Set()));
}

function grow(
  entry: FolderEntry,
  pages: ReadonlyMap<string, FolderPage>,
  above: ReadonlySet<string>,
): FolderNode {
  const page = above.has(entry.path) ? undefined : pages.get(entry.path);
  const node: FolderNode = { key: entry.path, title: entry.name, isLeaf: false };
  if (!page) return node;
  const here = new Set([...above, entry.path]);
  const folders = page.folders.map((each) => grow(each, pages, here));
  const files = page.files.map((each) => ({
    key: each.path,
    title: each.name,
    isLeaf: true,
    disabled: true,
  }));
  return { ...node, children: [...folders, ...files] };
}

/** The folders to open one after the other to come to a path: from the nearest root down to it. */
export function wayTo(path: string, roots: readonly FolderEntry[]): string[] {
  const target = path.replace(/\/+$/, "") || "/";
  const [root] = roots
    .map((each) => each.path)
    .filter((each) => target === each || target.startsWith(each === "/" ? "/" : `${each}/`))
    .sort((a, b) => b.length - a.length);
  if (root === undefined) return [];
  const below = target.slice(root.length).split("/").filter(Boolean);
  const start = root === "/" ? "" : root;
  return [root, ...below.map((_, depth) => `${start}/${below.slice(0, depth + 1).join("/")}`)];
}
