"""Nodes and GPUs on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Le

from danlu.core.nodes.node import NodeRole, NodeState
from danlu.wire.fields import STRICT
from danlu.wire.nodes.doctor import FindingRow

GpuState = Literal["free", "used", "foreign", "drained", "unmanaged", "faulty", "lost"]
"""`foreign`: processes are on it that Danlu did not start. `lost`: its node cannot be reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuProcessRow:
    """A process on a GPU. `job` is null when Danlu did not start it; `user` and `command` are empty when the
    node cannot see it. One that is `graphics` only draws."""

    pid: int
    user: str
    command: str
    memory_mb: int
    job: int | None = None
    graphics: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuRow:
    """A GPU. What it is doing now is null where the driver does not tell; `fault` is the evidence against one
    that is broken. `job` and `user` are the first of those that hold it, `jobs` all of them."""

    node: str
    index: int
    uuid: str
    name: str
    memory_mb: int
    drained: bool
    job: int | None
    user: str | None
    state: GpuState = "free"
    jobs: list[int] = field(default_factory=list)
    slots: int = 1
    managed: bool = True
    fault: str = ""
    used_mb: int | None = None
    load: int | None = None
    temperature_c: int | None = None
    power_w: float | None = None
    power_limit_w: float | None = None
    processes: list[GpuProcessRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuEdit:
    """What an administrator changes about a GPU; what is null stays as it is. One that is not `managed` is no
    longer given to jobs. `slots` exclusive jobs may hold it at a time."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    managed: bool | None = None
    slots: Annotated[int, Ge(1), Le(16)] | None = None
    drained: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskUsage:
    """A file system, by the folder that it is mounted at."""

    path: str
    used_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeUsage:
    """What a machine is doing now, with all its processes. The network is all but loopback."""

    cpu_percent: float
    load_1m: float
    memory_used_mb: int
    memory_total_mb: int
    network_in_bytes_s: float
    network_out_bytes_s: float
    disks: list[DiskUsage] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRow:
    """`cpus_used` and `memory_used_mb` are what was given to jobs; `usage` is what was measured, null while
    nothing is. `device_guard` says what keeps a job from opening GPUs that are not its own: `v2`, `v1` (a
    device cgroup), or nothing. `cpu_guard` and `memory_guard` say in the same words what holds a job to the
    CPUs and the memory that it asked for."""

    name: str
    state: NodeState
    since: float
    drained: bool
    simulated: bool
    runs_as_root: bool
    cpus: int
    cpus_used: int
    memory_mb: int
    memory_used_mb: int
    gpus: list[GpuRow]
    jobs: list[int]
    device_guard: str = ""
    cpu_guard: str = ""
    memory_guard: str = ""
    usage: NodeUsage | None = None
    role: NodeRole = NodeRole.COMPUTE
    version: str = ""
    """Of its Danlu; empty while this is the only machine."""
    address: str = ""
    """Where other nodes reach it."""
    quarantine: str = ""
    """Why nothing starts there until an admin undrains it; empty while it is well."""
    out_of_service: str = ""
    """Why nothing starts there until the doctor finds it well again; empty while that is not so."""
    findings: list[FindingRow] = field(default_factory=list)
    """What the doctor found when it was last looked over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuHistory:
    """The columns of one GPU, as long as `times` of its node."""

    index: int
    load: list[int | None]
    used_mb: list[int | None]
    temperature_c: list[int | None]
    power_w: list[float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeHistory:
    """What a node was doing lately: columns as long as `times`, oldest first; null: nothing was known."""

    node: str
    times: list[float]
    cpu_percent: list[float | None]
    memory_used_mb: list[int | None]
    network_in_bytes_s: list[float | None]
    network_out_bytes_s: list[float | None]
    gpus: list[GpuHistory]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobGpuUsage:
    """One GPU of a job: the memory that the card has, and its columns."""

    index: int
    memory_mb: int
    load: list[int | None]
    used_mb: list[int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobUsage:
    """What the GPUs of a job's last attempt did from its start to its end. `node` is null while the job never
    ran."""

    node: str | None
    times: list[float]
    gpus: list[JobGpuUsage]


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuReadingRow:
    """What a GPU is doing now, as the stream of events tells it."""

    index: int
    state: GpuState
    load: int | None
    used_mb: int | None
    temperature_c: int | None
    power_w: float | None
    processes: list[GpuProcessRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeReadingRow:
    name: str
    usage: NodeUsage | None
    gpus: list[GpuReadingRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """The data of a `readings` event: the nodes that changed. The first after connecting has all of them.
    `queue_version` is another number whenever waiting jobs have moved in the queue."""

    at: float
    queue_version: int
    nodes: list[NodeReadingRow]
