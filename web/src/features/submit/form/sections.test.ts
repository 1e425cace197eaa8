import { expect, test } from "vitest";
import { FIELD_NAMES } from "./jobForm";
import { fieldOf, SECTIONS } from "./sections";

test("every field is in one section", () => {
  expect(Object.values(SECTIONS).flat().sort()).toEqual([...FIELD_NAMES].sort());
});

test.each([
  ["gpus", "gpus"],
  ["fields.gpus", "gpus"],
  ["set.variables.A B", "variables"],
  ["fields.variables.name", "variables"],
  ["stage.0", "stage"],
  ["somewhere.else", null],
  [null, null],
])("a problem with %s", (field, expected) => {
  expect(fieldOf({ code: "x", message: "y", field })).toBe(expected);
});
