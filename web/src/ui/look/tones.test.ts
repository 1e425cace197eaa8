// @vitest-environment node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PALETTE } from "./colors";
import { ICON_TONES } from "./tones";

const [light, dark] = readFileSync(join(import.meta.dirname, "palette.css"), "utf-8")
  .split('[data-theme="dark"] {')
  .map(
    (part) =>
      new Map([...part.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color])),
  );

it.each(Object.entries(ICON_TONES))("the icon %s of a tab has the colour of the palette", (icon, tone) => {
  const drawn = readFileSync(join(import.meta.dirname, `../../../public/danlu-${icon}.svg`), "utf-8");
  expect(/<circle[^>]* fill="(#[0-9a-f]{6})"/.exec(drawn)?.[1]).toBe(light?.get(tone));
});

it.each([
  ["light", PALETTE.light, light],
  ["dark", PALETTE.dark, dark],
] as const)(
  "the %s colours of theme, charts and terminal output are those of the style sheet",
  (_, ours, sheet) => {
    expect(ours).toEqual(Object.fromEntries(Object.keys(ours).map((name) => [name, sheet?.get(name)])));
  },
);
