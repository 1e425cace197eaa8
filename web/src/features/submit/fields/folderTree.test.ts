import { expect, test } from "vitest";
import type { FolderPage } from "@/lib/api/schema";
import { growTree, wayTo } from "./folderTree";

const entry = (path: string) => ({ name: path.split("/").pop() ?? path, path });

function page(path: string, folders: string[], files: string[] = []): [string, FolderPage] {
  const listed = { folders: folders.map(entry), files: files.map(entry) };
  return [path, { path, parent: null, ...listed, truncated: false, problem: null }];
}

test("a tree grows where it was looked into; files cannot be chosen", () => {
  const tree = growTree(new Map([page("", ["/data"]), page("/data", ["/data/li"], ["/data/a.txt"])]));
  expect(tree).toEqual([
    {
      key: "/data",
      title: "data",
      isLeaf: false,
      children: [
        { key: "/data/li", title: "li", isLeaf: false },
        { key: "/data/a.txt", title: "a.txt", isLeaf: true, disabled: true },
      ],
    },
  ]);
});

test("nothing is known yet", () => expect(growTree(new Map())).toEqual([]));

test.each([
  ["/data/li/run", ["/data"], ["/data", "/data/li", "/data/li/run"]],
  ["/data/li/", ["/", "/data"], ["/data", "/data/li"]],
  ["/srv", ["/"], ["/", "/srv"]],
  ["/database", ["/data"], []],
  ["", ["/data"], []],
])("the way to %s", (path, roots, way) => {
  expect(wayTo(path, roots.map(entry))).toEqual(way);
});
