import { PALETTE } from "./colors";

const { light, dark } = PALETTE;
/** Told apart in light and in dark; the first four are colours of the palette. */
const LIGHT = [
  light.busy,
  light.free,
  light.foreign,
  light.shared,
  "#c62f6b",
  "#0e7f93",
  "#8a5a2b",
  "#5c6680",
];
const DARK = [dark.busy, dark.free, dark.foreign, dark.shared, "#f07aa5", "#4fbccf", "#c99668", "#a3adc4"];

/** The colour of a GPU's curve in charts of several, the same on every page. */
export function gpuColor(index: number, isDark: boolean): string {
  const colors = isDark ? DARK : LIGHT;
  return colors[index % colors.length] ?? light.busy;
}
