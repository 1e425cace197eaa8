import { expect, test } from "vitest";
import { readTyped, writeTyped } from "./typedFilter";

test.each([
  ["resnet", { search: "resnet", tag: undefined }],
  ["tag:project=vit", { search: undefined, tag: "project=vit" }],
  ["tag:project resnet 50", { search: "resnet 50", tag: "project" }],
  ["resnet tag:项目=视觉", { search: "resnet", tag: "项目=视觉" }],
  ['tag:"note=a b" x', { search: "x", tag: "note=a b" }],
  ["tag:", { search: "tag:", tag: undefined }],
  ["", { search: undefined, tag: undefined }],
])("%s", (text, filter) => {
  expect(readTyped(text)).toEqual(filter);
});

test("what the address says can be read again", () => {
  for (const filter of [{ tag: "note=a b", search: "x y" }, { tag: "project" }, { search: "x" }, {}])
    expect(readTyped(writeTyped(filter))).toEqual({ search: undefined, tag: undefined, ...filter });
});
