"""A machine and its accelerators, as the cluster knows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, MaxLen, Predicate

from danlu.core.bounds import (
    MOST_GPUS,
    MOST_PROCESSES,
    Celsius,
    Count,
    GpuIndex,
    HostOrNothing,
    Name,
    Number,
    Percent,
    Prose,
    Rate,
    Whole,
    Word,
)


class NodeState(StrEnum):
    UP = "up"
    LOST = "lost"


class NodeRole(StrEnum):
    """What a node is there for. Only `compute` takes jobs that do not name it."""

    COMPUTE = "compute"
    LOGIN = "login"
    """People submit from it; it takes no jobs."""
    DEBUG = "debug"
    """For trying things out: jobs that name it, for a quarter of an hour at most."""
    TRANSFER = "transfer"
    """Uploads, copies, unpacking: jobs that name it and want no GPU."""

    def is_within(self, other: NodeRole) -> bool:
        """Whether a node of this role is given no job that one of the other would not be given."""
        return _BY_JOBS.index(self) <= _BY_JOBS.index(other)


_BY_JOBS = (NodeRole.LOGIN, NodeRole.TRANSFER, NodeRole.DEBUG, NodeRole.COMPUTE)


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU that is there, and what people decided about it.

    `slots` exclusive jobs may hold it at a time. One that is not `managed` is not Danlu's to give and is
    never given to a job. `fault` is the evidence that it is broken; empty while it is well.
    """

    index: GpuIndex
    uuid: Name
    name: Name
    memory_mb: Count
    drained: bool = False
    slots: Annotated[int, Ge(1), Le(16)] = 1
    managed: bool = True
    fault: Prose = ""


@dataclass(frozen=True, slots=True)
class GpuProcess:
    """A process on a GPU. `job_id` is None when Danlu did not start it.

    `user` and `command` are empty when the node cannot see the process, and `memory_mb` is 0 when the driver
    does not tell. One that is `graphics` only draws: a desktop has such a process on every GPU.
    """

    pid: Count
    user: Prose
    command: Prose
    memory_mb: Count
    job_id: Number | None = None
    graphics: bool = False


@dataclass(frozen=True, slots=True)
class GpuReading:
    """What a GPU is doing now. None: the driver does not tell.

    `memory_mb` is all that the card has. One that is `lost` is broken for good as far as the agent can see;
    with a `fault` alone it may merely be that the driver does not answer, and what runs on it may go on.
    """

    index: GpuIndex
    uuid: Name
    memory_mb: Count = 0
    used_mb: Count = 0
    load: Percent | None = None
    temperature_c: Celsius | None = None
    power_w: Rate | None = None
    power_limit_w: Rate | None = None
    processes: Annotated[tuple[GpuProcess, ...], MaxLen(MOST_PROCESSES)] = ()
    fault: Prose = ""
    lost: bool = False

    @property
    def foreign(self) -> tuple[GpuProcess, ...]:
        """The processes that Danlu did not start."""
        return tuple(process for process in self.processes if process.job_id is None)


def is_foreign_busy(reading: GpuReading) -> bool:
    """Whether processes use this GPU that Danlu did not start.

    That is a process that computes; or a tenth of the card's memory held by no process we know, be it
    a desktop or a process that this node cannot see.
    """
    if any(not process.graphics for process in reading.foreign):
        return True
    ours = [process for process in reading.processes if process.job_id is not None]
    if any(process.memory_mb == 0 for process in ours):
        # How much of it is the jobs' own cannot be told.
        return False
    unknown_mb = reading.used_mb - sum(process.memory_mb for process in ours)
    return unknown_mb > 0 and unknown_mb * 10 >= reading.memory_mb


def have_numbers_of_their_own(gpus: Sequence[Gpu] | Sequence[GpuReading]) -> bool:
    return len({gpu.index for gpu in gpus}) == len(gpus)


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """What an agent says of its own machine."""

    name: Name
    cpus: Count
    memory_mb: Count
    gpus: Annotated[tuple[Gpu, ...], MaxLen(MOST_GPUS), Predicate(have_numbers_of_their_own)]
    boot_id: Name
    simulated: bool = False
    runs_as_root: bool = False
    device_guard: Name = ""
    """What keeps a task from opening GPUs that are not its own: "v2", "v1" (a device cgroup), or nothing."""
    address: HostOrNothing = ""
    """Where other nodes reach it; empty while it is the only one."""
    version: Name = ""
    """Of its Danlu."""
    leased: bool = False
    """It stops what may be run elsewhere by itself, when it does not hear from the control side any more."""
    stages: bool = False
    """It copies data to its own disk for jobs that ask for it; earlier agents did not."""
    cpu_guard: Name = ""
    """What holds a task to the CPUs that it asked for: "v2", "v1" (a cgroup), or nothing."""
    memory_guard: Name = ""
    """The same for its memory."""


class FindingLevel(StrEnum):
    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """What the doctor says of one thing on a node: the words are made of `check`, `code` and the facts."""

    check: Word
    level: FindingLevel
    code: Word
    facts: Annotated[dict[Name, Prose | Whole | float], MaxLen(50)] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the cluster: its last known facts, and what people decided about it."""

    facts: NodeFacts
    state: NodeState
    since: float
    drained: bool = False
    role: NodeRole = NodeRole.COMPUTE
    quarantine: str = ""
    """The evidence that it comes and goes: nothing starts there until an admin lifts it."""
    findings: tuple[Finding, ...] = ()

    @property
    def name(self) -> str:
        return self.facts.name

    @property
    def managed_gpus(self) -> tuple[Gpu, ...]:
        """Those of its GPUs that were not taken away from Danlu."""
        return tuple(gpu for gpu in self.facts.gpus if gpu.managed)
