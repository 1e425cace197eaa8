const STEPS: [size: number, unit: string][] = [
  [1024 * 1024, "TB"],
  [1024, "GB"],
  [1, "MB"],
];

/** `2.9 / 24 GB`: how much of it is used, in the unit of the whole and no finer than one can see. */
export function memoryOf(usedMb: number, totalMb: number): string {
  const [size, unit] = STEPS.find(([size]) => totalMb >= size) ?? [1, "MB"];
  return `${short(usedMb / size)} / ${short(totalMb / size)} ${unit}`;
}

function short(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, "");
}
