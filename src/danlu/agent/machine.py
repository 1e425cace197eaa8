"""What the machine itself is: processors, memory, boot."""

from __future__ import annotations

import os
from pathlib import Path

from danlu.agent.keeper.processes import boot_id

__all__ = ["boot_id", "cpu_count", "memory_mb"]


def cpu_count() -> int:
    """The processors this process may use, which in a container are fewer than the machine has."""
    return len(os.sched_getaffinity(0))


def memory_mb() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "MemTotal":
            return int(value.split()[0]) // 1024
    raise RuntimeError("/proc/meminfo does not tell the machine's memory")
