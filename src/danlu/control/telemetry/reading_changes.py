"""What is no news: measurements that tremble though nothing happens. Pure.

A value that was told stays the one to tell until the truth is too far from it. So an idle machine is quiet,
and a slow drift is told all the same.
"""

from __future__ import annotations

from dataclasses import replace
from math import floor, log10

from danlu.core.nodes.node import GpuReading
from danlu.core.nodes.readings import MachineReading

CPU_PERCENT = 2.0
LOAD = 0.25
MEMORY_SHARE = 0.005
NETWORK_BYTES_S = 20_000.0
NETWORK_SHARE = 0.1
DISK_SHARE = 0.001
CARD_MB = 16
TEMPERATURE_C = 1
POWER_W = 3.0


def settle_machine(told: MachineReading | None, now: MachineReading | None) -> MachineReading | None:
    """What to tell of a machine of which `told` was told: the very same, unless there is news."""
    if told is None or now is None:
        return now and _round(now)
    return told if _is_same_machine(told, now) else _round(now)


def settle_gpu(told: GpuReading | None, now: GpuReading) -> GpuReading:
    """The same for a GPU."""
    return told if told is not None and (told == now or _is_same_gpu(told, now)) else now


def _is_same_machine(told: MachineReading, now: MachineReading) -> bool:
    return (
        abs(told.cpu_percent - now.cpu_percent) <= CPU_PERCENT
        and abs(told.load_1m - now.load_1m) <= LOAD
        and told.memory_total_mb == now.memory_total_mb
        and abs(told.memory_used_mb - now.memory_used_mb) <= now.memory_total_mb * MEMORY_SHARE
        and _is_same_rate(told.network_in_bytes_s, now.network_in_bytes_s)
        and _is_same_rate(told.network_out_bytes_s, now.network_out_bytes_s)
        and _are_same_disks(told, now)
    )


def _is_same_rate(told: float, now: float) -> bool:
    return abs(told - now) <= max(NETWORK_BYTES_S, NETWORK_SHARE * told)


def _are_same_disks(told: MachineReading, now: MachineReading) -> bool:
    if [(disk.path, disk.total_bytes) for disk in told.disks] != [
        (disk.path, disk.total_bytes) for disk in now.disks
    ]:
        return False
    return all(
        abs(before.used_bytes - after.used_bytes) <= after.total_bytes * DISK_SHARE
        for before, after in zip(told.disks, now.disks, strict=True)
    )


def _is_same_gpu(told: GpuReading, now: GpuReading) -> bool:
    """Whatever does not tremble must be the same."""
    return (
        _is_near(told.temperature_c, now.temperature_c, TEMPERATURE_C)
        and _is_near(told.power_w, now.power_w, POWER_W)
        and _is_near(told.used_mb, now.used_mb, CARD_MB)
        and told == replace(now, temperature_c=told.temperature_c, power_w=told.power_w, used_mb=told.used_mb)
    )


def _is_near(told: float | None, now: float | None, noise: float) -> bool:
    if told is None or now is None:
        return told is now
    return abs(told - now) <= noise


def _round(now: MachineReading) -> MachineReading:
    """No more digits than mean something."""
    return replace(
        now,
        cpu_percent=float(round(now.cpu_percent)),
        load_1m=round(now.load_1m, 1),
        network_in_bytes_s=_to_three_digits(now.network_in_bytes_s),
        network_out_bytes_s=_to_three_digits(now.network_out_bytes_s),
    )


def _to_three_digits(value: float) -> float:
    return float(round(value, 2 - floor(log10(value)))) if value >= 1 else 0.0
