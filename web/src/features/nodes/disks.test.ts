import { expect, it } from "vitest";
import type { NodeUsage } from "@/lib/api/schema";
import { diskTone, fullestDisk } from "./disks";

it("finds the disk that is nearest to its end, not the one with most on it", () => {
  const disks = [
    { path: "/", used_bytes: 90, total_bytes: 100 },
    { path: "/data", used_bytes: 5000, total_bytes: 10_000 },
  ];
  expect(fullestDisk({ disks } as NodeUsage)?.path).toBe("/");
  expect(fullestDisk(null)).toBeNull();
});

it("warns before a disk is full", () => {
  expect([null, 84, 85, 95].map(diskTone)).toEqual(["idle", "idle", "foreign", "sick"]);
});
