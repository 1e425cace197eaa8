// @vitest-environment node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ICON_TONES } from "./tones";

it.each(Object.entries(ICON_TONES))("the icon %s of a tab has the colour of the palette", (icon, tone) => {
  const palette = readFileSync(join(import.meta.dirname, "palette.css"), "utf-8");
  const colour = new RegExp(`--${tone}: (#[0-9a-f]{6});`).exec(palette)?.[1];
  const drawn = readFileSync(join(import.meta.dirname, `../../../public/danlu-${icon}.svg`), "utf-8");
  expect(/<circle[^>]* fill="(#[0-9a-f]{6})"/.exec(drawn)?.[1]).toBe(colour);
});
