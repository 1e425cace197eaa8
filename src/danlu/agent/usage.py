"""How busy the machine is: processors, memory, network and disks, as the kernel counts them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from danlu.agent.aside import Hangs, run_aside
from danlu.agent.mounts import choose_disks, parse_mounts
from danlu.core.nodes.readings import DiskReading, MachineReading

PATIENCE_S = 1.0
"""For what /proc says, which never waits for a disk."""
DISK_PATIENCE_S = 5.0
DISKS_EVERY_S = 10.0


class UsageProbe(Protocol):
    async def measure(self) -> MachineReading | None:
        """What the machine is doing now; None when that could not be measured."""


@dataclass(frozen=True, slots=True)
class Counters:
    """What the kernel has counted since it started. Two of them tell what happened in between."""

    at: float
    cpu_busy: int
    cpu_all: int
    received: Mapping[str, int]
    sent: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Memory:
    used_mb: int
    total_mb: int


class MachineUsage:
    """Measures this machine. `folders` are those whose file systems are told of whatever they are.

    A caller gets the disks as they were last seen: a file system that hangs holds up no caller.
    """

    def __init__(self, folders: Sequence[Path], proc: Path = Path("/proc")) -> None:
        self._folders = tuple(str(folder.absolute()) for folder in folders)
        self._proc = proc
        self._before: Counters | None = None
        self._cpu_percent = 0.0
        self._disks: dict[str, DiskReading | None] = {}
        self._disks_due = 0.0
        self._looking_at_disks: asyncio.Task[None] | None = None

    async def measure(self) -> MachineReading | None:
        self._look_at_disks()
        try:
            return await run_aside(self._measure, str(self._proc), None, PATIENCE_S)
        except (OSError, ValueError, LookupError):
            return None

    def _measure(self) -> MachineReading:
        after, memory = read_counters(self._proc), read_memory(self._proc)
        # Before the first look: since the machine was started.
        before = self._before or Counters(after.at, 0, 0, after.received, after.sent)
        if after.cpu_all > before.cpu_all:
            self._cpu_percent = cpu_percent(before, after)
        received, sent = network_rates(before, after)
        self._before = after
        return MachineReading(
            cpu_percent=self._cpu_percent,
            load_1m=float((self._proc / "loadavg").read_text().split()[0]),
            memory_used_mb=memory.used_mb,
            memory_total_mb=memory.total_mb,
            network_in_bytes_s=received,
            network_out_bytes_s=sent,
            disks=tuple(disk for disk in tuple(self._disks.values()) if disk is not None),
        )

    def _look_at_disks(self) -> None:
        """In the background, and not while the last look is still under way."""
        if self._looking_at_disks is None and time.monotonic() >= self._disks_due:
            self._looking_at_disks = asyncio.create_task(self._read_disks(), name="disks")
            self._looking_at_disks.add_done_callback(self._finish_disks)

    def _finish_disks(self, looking: asyncio.Task[None]) -> None:
        self._looking_at_disks = None
        self._disks_due = time.monotonic() + DISKS_EVERY_S
        if not looking.cancelled():
            # Whatever it was, the next look may do better.
            looking.exception()

    async def _read_disks(self) -> None:
        mountinfo = self._proc / "self/mountinfo"
        text = await run_aside(
            lambda: mountinfo.read_text(errors="replace"), str(mountinfo), None, DISK_PATIENCE_S
        )
        chosen = choose_disks(parse_mounts(text), self._folders)
        self._disks = {path: self._disks.get(path) for path in chosen}
        await asyncio.gather(*(self._read_disk(path) for path in chosen))

    async def _read_disk(self, path: str) -> None:
        """One that does not answer stays as it was last seen."""
        try:
            self._disks[path] = await run_aside(lambda: read_disk(path), path, None, DISK_PATIENCE_S)
        except Hangs:
            return
        except OSError:
            self._disks[path] = None


def read_counters(proc: Path) -> Counters:
    with (proc / "stat").open() as file:
        numbers = [int(word) for word in file.readline().split()[1:9]]
    idle = sum(numbers[3:5])
    received, sent = {}, {}
    for line in (proc / "net/dev").read_text().splitlines()[2:]:
        name, _, words = line.partition(":")
        columns = words.split()
        received[name.strip()], sent[name.strip()] = int(columns[0]), int(columns[8])
    counted = counted_interfaces(received)
    return Counters(
        time.monotonic(),
        sum(numbers) - idle,
        sum(numbers),
        {name: received[name] for name in counted},
        {name: sent[name] for name in counted},
    )


def counted_interfaces(names: Mapping[str, int], folder: Path = Path("/sys/class/net")) -> list[str]:
    """Real devices: what goes through a bridge or a bond goes through one of them as well. Where there is
    none, as in a container, everything but loopback."""
    others = [name for name in names if name != "lo"]
    return [name for name in others if (folder / name / "device").exists()] or others


def cpu_percent(before: Counters, after: Counters) -> float:
    passed = after.cpu_all - before.cpu_all
    # What the kernel counts as idle may shrink a little; there is no less than nothing to do.
    busy = min(max(after.cpu_busy - before.cpu_busy, 0), passed)
    return 100.0 * busy / passed if passed > 0 else 0.0


def network_rates(before: Counters, after: Counters) -> tuple[float, float]:
    """Bytes a second in and out, over the interfaces that were there all the time."""
    passed_s = max(after.at - before.at, 1e-3)
    return (
        _growth(before.received, after.received) / passed_s,
        _growth(before.sent, after.sent) / passed_s,
    )


def _growth(before: Mapping[str, int], after: Mapping[str, int]) -> int:
    """A counter that fell was begun anew."""
    return sum(max(after[name] - before[name], 0) for name in after.keys() & before.keys())


def read_memory(proc: Path) -> Memory:
    fields = {}
    for line in (proc / "meminfo").read_text().splitlines():
        name, _, value = line.partition(":")
        fields[name] = value
    total, available = (int(fields[name].split()[0]) // 1024 for name in ("MemTotal", "MemAvailable"))
    return Memory(max(total - available, 0), total)


def read_disk(path: str) -> DiskReading | None:
    """None for what holds nothing. What is kept for root counts for nothing: as `df` has it, a disk is full
    when no other account can write."""
    with contextlib.suppress(FileNotFoundError):
        found = os.statvfs(path)
        if found.f_blocks:
            used = (found.f_blocks - found.f_bfree) * found.f_frsize
            return DiskReading(path, used, used + found.f_bavail * found.f_frsize)
    return None
