"""A service may run with raised priorities; its tasks must not inherit them."""

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
