/** A line's colour in charts of several GPUs: told apart in light and in dark, the same on every page. */
const LIGHT = ["#3b66d6", "#1f8a5b", "#b26a00", "#7a4fc9", "#c62f6b", "#0e7f93", "#8a5a2b", "#5c6680"];
const DARK = ["#7d9bff", "#45b07c", "#e0a53c", "#ab8cf2", "#f07aa5", "#4fbccf", "#c99668", "#a3adc4"];

export function gpuColor(index: number, dark: boolean): string {
  const colors = dark ? DARK : LIGHT;
  return colors[index % colors.length] ?? "#3b66d6";
}
