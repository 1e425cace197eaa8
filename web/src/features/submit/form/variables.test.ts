import { expect, test } from "vitest";
import { findBadVariable } from "./variables";

test.each([
  [[], null],
  [["A=1", "_b2=", "="], null],
  [["A=1", "=2"], { place: 1, name: "", why: "unnamed" }],
  [["A=1", "2A=3"], { place: 1, name: "2A", why: "misnamed" }],
  [["MY-VAR=1"], { place: 0, name: "MY-VAR", why: "misnamed" }],
  [["变量=1"], { place: 0, name: "变量", why: "misnamed" }],
  [["A=1", "B=2", " A=3"], { place: 2, name: "A", why: "twice" }],
])("%j", (rows, expected) => {
  const variables = rows.map((row) => {
    const [name = "", value = ""] = row.split("=");
    return { name, value };
  });
  expect(findBadVariable("variables", variables)).toEqual(expected);
});

test.each([
  [[{ name: "project", value: "vit" }], null],
  [[{ name: "项目/a-1", value: "x" }], null],
  [[{ name: "a b", value: "x" }], "misnamed"],
  [[{ name: "-a", value: "x" }], "misnamed"],
  [[{ name: "project", value: " " }], "valueless"],
])("tags %j", (rows, why) => {
  expect(findBadVariable("tags", rows)?.why ?? null).toBe(why);
});
