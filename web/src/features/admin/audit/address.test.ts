import { expect, it } from "vitest";
import { filterOf, readAuditSearch } from "./address";

it("the address says what is looked for, and nothing else gets in", () => {
  expect(readAuditSearch({ actor: "li", target: 12, span: "week", other: 1, action: "" })).toEqual({
    actor: "li",
    target: "12",
    span: "week",
  });
  expect(readAuditSearch({ span: "century" })).toEqual({});
});

it("a span is asked for from a full hour on", () => {
  expect(filterOf({ actor: "li", span: "day" }, 2 * 86_400 + 3_700)).toEqual({
    actor: "li",
    since: 86_400 + 3_600,
  });
  expect(filterOf({ target: "forge" })).toEqual({ target: "forge" });
});
