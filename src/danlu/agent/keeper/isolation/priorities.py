"""What a task gets of the machine beside others: never the raised priorities that a service may have, and
less where its owner wants to give way."""

from __future__ import annotations

import contextlib
import os

from danlu.agent.keeper import libc

_OOM_SCORE = "/proc/self/oom_score_adj"


def are_raised() -> bool:
    """Whether this process has more of the machine than an ordinary one."""
    with open(_OOM_SCORE) as file:
        spared = int(file.read()) < 0
    return spared or os.getpriority(os.PRIO_PROCESS, 0) < 0 or libc.io_priority() != 0


def take_usual() -> None:
    """Be an ordinary process: lowering oneself needs no rights."""
    os.setpriority(os.PRIO_PROCESS, 0, max(0, os.getpriority(os.PRIO_PROCESS, 0)))
    libc.reset_io_priority()
    with contextlib.suppress(OSError), open(_OOM_SCORE, "w") as file:
        file.write("0")


def give_way(nice: int) -> None:
    """Be as nice as said, or nicer if this process is so already: for the CPU, and for the disk at the level
    that belongs to it."""
    nice = max(nice, os.getpriority(os.PRIO_PROCESS, 0))
    os.setpriority(os.PRIO_PROCESS, 0, nice)
    libc.set_io_level((nice + 20) // 5)
