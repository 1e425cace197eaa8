import type { GpuRow } from "@/lib/api/schema";

/** The models of GPU in a node and how many there are of each, in the order of their first. */
export function kindsOf(gpus: readonly Pick<GpuRow, "name">[]): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { name } of gpus) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count }));
}

/** The name of a model where there is little room: who made it goes without saying. */
export function shortModel(name: string): string {
  return name.replace(/^(NVIDIA|AMD) (GeForce |Radeon )?/, "");
}
