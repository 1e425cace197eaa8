"""Typed reasons why a job waits. Values, not log lines: every page and tool words them itself."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Blocker:
    """One reason. `code` names it everywhere; the fields are its facts."""

    code: ClassVar[str] = ""

    def facts(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Held(Blocker):
    code: ClassVar[str] = "held"


@dataclass(frozen=True, slots=True)
class OwnerLocked(Blocker):
    """An administrator has locked its owner's account: it waits until that is lifted."""

    code: ClassVar[str] = "owner_locked"


@dataclass(frozen=True, slots=True)
class DiskFull(Blocker):
    code: ClassVar[str] = "disk_full"


@dataclass(frozen=True, slots=True)
class SchedulingPaused(Blocker):
    code: ClassVar[str] = "scheduling_paused"


@dataclass(frozen=True, slots=True)
class NotYet(Blocker):
    """A retry waits for its backoff to pass."""

    code: ClassVar[str] = "not_yet"
    until: float


@dataclass(frozen=True, slots=True)
class PredecessorsRunning(Blocker):
    code: ClassVar[str] = "predecessors_running"
    jobs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PredecessorsFailed(Blocker):
    """A predecessor it needs the success of has ended without success."""

    code: ClassVar[str] = "predecessors_failed"
    jobs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoSuchHardware(Blocker):
    """No node could ever satisfy the ask, even when empty; or not so many as its `wanted_nodes`, but `able`
    at the most. `mixed` of them could, but with GPUs of more than one model. Those of `removed_on` might,
    with the GPUs that were taken away from Danlu."""

    code: ClassVar[str] = "no_such_hardware"
    gpus: int
    cpus: int
    memory_mb: int
    node: str | None
    gpu_ids: tuple[int, ...] = ()
    gpu_memory_mb: int = 0
    wanted_nodes: int = 1
    gpu_model: str = ""
    only_nodes: tuple[str, ...] = ()
    exclude_nodes: tuple[str, ...] = ()
    mixed: int = 0
    stage: bool = False
    able: int = 0
    removed_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeNotForJobs(Blocker):
    """The node it names is there for something else: a login node, or a transfer node while it wants GPUs."""

    code: ClassVar[str] = "node_not_for_jobs"
    node: str
    role: str


@dataclass(frozen=True, slots=True)
class NodeUnavailable(Blocker):
    """The node it names is lost or drained, the latter by Danlu itself if it is in quarantine, or `closed`
    until nothing runs there that should not, or `unfit` by these checks of the doctor."""

    code: ClassVar[str] = "node_unavailable"
    node: str
    drained: bool
    quarantined: bool = False
    closed: bool = False
    unfit: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NodesUnavailable(Blocker):
    """Every node that could run it is out of service; `states` says of each how, and `unfit` why those are
    that the doctor found so: the first of the checks."""

    code: ClassVar[str] = "nodes_unavailable"
    nodes: tuple[str, ...]
    unfit: tuple[tuple[str, str], ...] = ()
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AvoidsNodes(Blocker):
    """It could not be set up on these nodes, by no fault of its own, and none of the others could run it: it
    is tried there again."""

    code: ClassVar[str] = "avoids_nodes"
    nodes: tuple[str, ...]
    until: float


@dataclass(frozen=True, slots=True)
class TooFewGpus(Blocker):
    """Too many GPUs of the nodes in service that could run it are drained or broken. The `node` nearest to it
    has so many `usable` ones. `others` could run it too, and are out of service."""

    code: ClassVar[str] = "too_few_gpus"
    wanted: int
    usable: int
    node: str
    drained: tuple[int, ...] = ()
    faulty: tuple[int, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TooFewNodes(Blocker):
    """It wants several nodes. There are as many that could run it, but only so many are in service; the
    others are `nodes`."""

    code: ClassVar[str] = "too_few_nodes"
    wanted: int
    in_service: int
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExactGpusBusy(Blocker):
    """The GPUs it names are taken; those of the node nearest to having them all free, if it names no node."""

    code: ClassVar[str] = "exact_gpus_busy"
    node: str | None
    gpu_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExactGpusDrained(Blocker):
    """The GPUs it names are drained; those of the node with the fewest of them, if it names no node."""

    code: ClassVar[str] = "exact_gpus_drained"
    node: str | None
    gpu_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExactGpusFaulty(Blocker):
    """The GPUs it names are broken; those of the node with the fewest of them, if it names no node."""

    code: ClassVar[str] = "exact_gpus_faulty"
    node: str | None
    gpu_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GpusBusy(Blocker):
    """`free` is the most free GPUs that any one allowed node has now; `foreign` of all theirs are in use by
    processes that Danlu did not start."""

    code: ClassVar[str] = "gpus_busy"
    wanted: int
    free: int
    node: str | None
    foreign: int = 0
    gpu_model: str = ""
    """Only such GPUs count, if it asks for them."""
    gpu_memory_mb: int = 0
    """Only GPUs with so much memory count."""
    whole: bool = False
    """Only GPUs count of which no job has a slot."""
    first: bool = True
    """False: the head of the queue waits for exact GPUs, and this one might pass it."""


@dataclass(frozen=True, slots=True)
class GpusKept(Blocker):
    """It would fit with these GPUs of these nodes, but they are kept for the head of the queue, which waits
    for exactly them."""

    code: ClassVar[str] = "gpus_kept"
    head: int
    gpu_ids: tuple[int, ...]
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NodesBusy(Blocker):
    """It wants several nodes, on each of them all that it names. `ready` have that free now; `mixed` have,
    if GPUs of more than one model would do."""

    code: ClassVar[str] = "nodes_busy"
    wanted: int
    ready: int
    mixed: int
    gpus: int
    cpus: int
    memory_mb: int
    gpu_memory_mb: int = 0
    gpu_model: str = ""


@dataclass(frozen=True, slots=True)
class ExactGpusBusyOnNodes(Blocker):
    """It wants these GPUs on each of several nodes; `ready` have them free now."""

    code: ClassVar[str] = "exact_gpus_busy_on_nodes"
    gpu_ids: tuple[int, ...]
    wanted: int
    ready: int


@dataclass(frozen=True, slots=True)
class GpuMemoryBusy(Blocker):
    """It would share GPUs, but not so many have so much memory free (0: half the card). `free_mb` is the most
    that so many of one node have. No job may join `closed` ones, whose holders do not share; without
    those there are enough, if `joinable`."""

    code: ClassVar[str] = "gpu_memory_busy"
    gpus: int
    wanted_mb: int
    free_mb: int
    node: str | None
    closed: int = 0
    joinable: bool = True


@dataclass(frozen=True, slots=True)
class ArrayFull(Blocker):
    """As many of its array's elements run as may run at a time."""

    code: ClassVar[str] = "array_full"
    at_most: int


@dataclass(frozen=True, slots=True)
class CpusBusy(Blocker):
    code: ClassVar[str] = "cpus_busy"
    wanted: int
    free: int
    node: str | None
    gpus: int = 0
    """Beside so many GPUs that it may have now."""


@dataclass(frozen=True, slots=True)
class MemoryBusy(Blocker):
    code: ClassVar[str] = "memory_busy"
    wanted_mb: int
    free_mb: int
    node: str | None
    gpus: int = 0
    """Beside so many GPUs that it may have now."""


@dataclass(frozen=True, slots=True)
class BehindInQueue(Blocker):
    """It might fit, but the head of the queue goes first. `place` is its place in the queue
    (`Plan.places`)."""

    code: ClassVar[str] = "behind_in_queue"
    head: int
    place: int
