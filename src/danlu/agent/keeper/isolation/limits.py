"""Holding a task to the CPUs and the memory that it asked for: cgroup controllers, where the kernel lets us.

In v2 they act on the task's own group. In v1 a task that asked for something gets a group of its own in the
hierarchy of each; one that asked for nothing gets none, and starts as fast as without them.
"""

from __future__ import annotations

import contextlib
import os
from typing import NamedTuple

from danlu.agent.keeper.isolation.cgroups import (
    WRAPPERS,
    ControllerGroup,
    Grounds,
    Group,
    NoGroup,
    UnifiedGroup,
    group_at,
    hierarchy_places,
    try_in_group,
    write_to_group,
)
from danlu.agent.keeper.isolation.guarded_group import GuardedGroup, Guarding

CPU, MEMORY = "cpu", "memory"

_PERIOD_US = 100_000
_USUAL_WEIGHT, _MOST_WEIGHT = 100, 10_000
_USUAL_SHARES, _MOST_SHARES = 1024, 262_144

_TRIAL = {CPU: 1, MEMORY: 1024}
"""What a process of the keeper's is held to for a moment, to see if it works: a CPU, or so many MB."""


class Write(NamedTuple):
    """What is written to a file of a group. What a kernel may lack is not `needed`."""

    file: str
    value: str
    needed: bool = True


def writes_for(mode: str, controller: str, amount: float) -> list[Write]:
    """How a group is held to so many CPUs, or MB of memory."""
    if controller == CPU:
        quota = max(round(amount * _PERIOD_US), 1000)
        if mode == "v2":
            weight = min(max(round(amount * _USUAL_WEIGHT), 1), _MOST_WEIGHT)
            return [Write("cpu.max", f"{quota} {_PERIOD_US}"), Write("cpu.weight", str(weight), False)]
        shares = min(max(round(amount * _USUAL_SHARES), 2), _MOST_SHARES)
        return [
            Write("cpu.cfs_period_us", str(_PERIOD_US)),
            Write("cpu.cfs_quota_us", str(quota)),
            Write("cpu.shares", str(shares), False),
        ]
    size = str(round(amount) << 20)
    if mode == "v2":
        return [
            Write("memory.max", size),
            Write("memory.swap.max", "0", False),
            # The task ends as a whole: a data loader without its workers would wait for ever.
            Write("memory.oom.group", "1", False),
        ]
    return [Write("memory.limit_in_bytes", size), Write("memory.memsw.limit_in_bytes", size, False)]


def _carry_out(path: str, writes: list[Write]) -> None:
    for write in writes:
        try:
            write_to_group(f"{path}/{write.file}", write.value)
        except OSError:
            if write.needed:
                raise


class OwnLimit(NoGroup):
    """A limit on the task's own v2 group. It goes with the group."""

    mode = "v2"

    def __init__(self, path: str, controller: str, amount: float) -> None:
        self.path = path
        self._controller = controller
        self._amount = amount

    def create(self) -> None:
        if not os.access(f"{self.path}/{self._controller}.max", os.F_OK):
            # Groups that were made anew have no controllers: their parent goes when it is empty.
            hand_down(os.path.dirname(self.path), self._controller)
        if self._amount:
            _carry_out(self.path, writes_for("v2", self._controller, self._amount))


def hand_down(parent: str, controller: str) -> None:
    """Give the groups below `parent` a controller. OSError where the kernel does not let us."""
    write_to_group(f"{os.path.dirname(parent)}/cgroup.subtree_control", f"+{controller}")
    _clear(parent)
    write_to_group(f"{parent}/cgroup.subtree_control", f"+{controller}")
    if controller == CPU:
        # All tasks together count as much beside the rest of the machine as one group for each CPU.
        weight = min((os.cpu_count() or 1) * _USUAL_WEIGHT, _MOST_WEIGHT)
        _carry_out(parent, [Write("cpu.weight", str(weight), False)])


def _clear(parent: str) -> None:
    """Wrappers may have left their tasks' groups for this one before it had a controller to hand down."""
    with open(f"{parent}/cgroup.procs") as file:
        strays = file.read().split()
    if not strays:
        return
    beside = UnifiedGroup(f"{parent}/{WRAPPERS}")
    beside.create()
    for pid in strays:
        with contextlib.suppress(ProcessLookupError):
            write_to_group(f"{beside.path}/cgroup.procs", pid)


class GroupLimit(ControllerGroup):
    """A group of its own in the v1 hierarchy of the controller."""

    def __init__(self, path: str, controller: str, amount: float) -> None:
        super().__init__(path)
        self._controller = controller
        self._amount = amount

    def create(self) -> None:
        super().create()
        if self._controller == CPU:
            # Each has its quota: together they need not share with processes that have none.
            shares = Write("cpu.shares", str(_MOST_SHARES), False)
            _carry_out(os.path.dirname(self.path), [shares])
        _carry_out(self.path, writes_for("v1", self._controller, self._amount))


def limit_at(mode: str, path: str, controller: str, amount: float) -> Group:
    match mode:
        case "v2":
            return OwnLimit(path, controller, amount)
        case "v1":
            return GroupLimit(path, controller, amount)
        case _:
            return NoGroup()


def choose_limit(controller: str, grounds: Grounds, label: str) -> Guarding:
    """The first way that really holds a process to an amount here.

    In v1 our own group comes first: what holds the agent as a whole, as in a container, holds its tasks too.
    """
    if grounds.mode == "v2" and _works(grounds, Guarding("v2", grounds.parent), controller):
        return Guarding("v2", grounds.parent)
    for place in reversed(list(hierarchy_places("v1", controller))):
        limiting = Guarding("v1", f"{place}/danlu-{label}")
        if os.path.isdir(place) and _works(grounds, limiting, controller):
            return limiting
    return Guarding("", "")


def _works(grounds: Grounds, limiting: Guarding, controller: str) -> bool:
    name = f"try-{os.getpid()}"
    limit = limit_at(limiting.mode, limiting.path_for(name), controller, _TRIAL[controller])
    group = GuardedGroup(group_at(grounds.mode, grounds.path_for(name)), limit)
    return try_in_group(group, lambda: True, (grounds.parent, limiting.parent))
