/** How closely the GPUs are shown: as many as there are decides, unless the user chose. */
import { useState } from "react";

const KEY = "danlu.overview.compact";
const MANY_GPUS = 48;

export function isCompact(chosen: string | null, gpus: number): boolean {
  return chosen === null ? gpus > MANY_GPUS : chosen === "yes";
}

export function useCompact(gpus: number): [compact: boolean, choose: (compact: boolean) => void] {
  const [chosen, setChosen] = useState(() => localStorage.getItem(KEY));
  function choose(compact: boolean) {
    const value = compact ? "yes" : "no";
    localStorage.setItem(KEY, value);
    setChosen(value);
  }
  return [isCompact(chosen, gpus), choose];
}
