// @vitest-environment node
import { expect, it, vi } from "vitest";
import { readOpenApi } from "./sources";

it("the page listens to every kind of event that the server sends", async () => {
  vi.stubGlobal("document", { baseURI: "http://danlu.test/", querySelector: () => null });
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("navigator", { languages: ["en"] });
  const { KINDS } = await import("@/lib/live/stream");
  expect([...KINDS].sort()).toEqual([...(readOpenApi().components.schemas.EventKind?.enum ?? [])].sort());
});
