import type { DiskUsage, NodeUsage } from "@/lib/api/schema";
import { percentOf } from "@/ui/gpu/GpuCondition";

export type DiskTone = "idle" | "foreign" | "sick";

/** The disk that will be full first. */
export function fullestDisk(usage: NodeUsage | null | undefined): DiskUsage | null {
  const filled = (disk: DiskUsage) => percentOf(disk.used_bytes, disk.total_bytes) ?? 0;
  return (usage?.disks ?? []).reduce<DiskUsage | null>(
    (fullest, disk) => (fullest && filled(fullest) >= filled(disk) ? fullest : disk),
    null,
  );
}

/** Nearly full is worth a look; full stops jobs. */
export function diskTone(percent: number | null): DiskTone {
  if (percent === null || percent < 85) return "idle";
  return percent < 95 ? "foreign" : "sick";
}
