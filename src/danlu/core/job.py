"""What a user asks to run, and what has become of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from danlu.core.array import ArrayCounts
from danlu.core.auto import Auto
from danlu.core.job_id import is_element
from danlu.core.nodes.node_fault import NodeFault
from danlu.core.resources import NOTHING, Allocation, Ask, Used, make_ask
from danlu.core.states import DEFAULT_RETRY_ON, GONE, EndReason, JobState
from danlu.core.task import TaskEnd


class DependencyKind(StrEnum):
    ANY = "any"
    """The predecessor has ended, however it ended."""
    OK = "ok"
    """The predecessor has succeeded."""


@dataclass(frozen=True, slots=True)
class Dependency:
    job_id: int
    kind: DependencyKind = DependencyKind.ANY


def is_still_to_end(state: JobState) -> bool:
    """Whether a successor has to wait for a job in this state."""
    return state not in GONE


def is_failed_need(kind: DependencyKind, state: JobState) -> bool:
    """Whether a job has ended in a way that a successor of this kind cannot do with."""
    return kind is DependencyKind.OK and state in (JobState.FAILED, JobState.CANCELLED)


class Launcher(StrEnum):
    """What the tasks of a job over several nodes are prepared for."""

    PLAIN = "plain"
    TORCHRUN = "torchrun"
    TENSORFLOW = "tensorflow"
    JAX = "jax"
    MPI = "mpi"
    RAY = "ray"


@dataclass(frozen=True, slots=True)
class JobSpec:
    """A job as its owner wrote it.

    One that is `restartable` may be ended and run again elsewhere when its node is lost; a `service` is kept
    running until a user cancels it.
    """

    command: str
    arguments: tuple[str, ...] = ()
    name: str = ""
    directory: str = ""
    environment: str | None = None
    queue: str = "default"
    node: str | None = None
    nodes: int = 1
    """How many nodes it runs on at most, with one task on each; `nodes_min` at least, if that is fewer."""
    nodes_min: int | None = None
    launcher: Launcher = Launcher.PLAIN
    spread: bool = False
    """On nodes that have most to spare, instead of those that have least."""
    only_nodes: tuple[str, ...] = ()
    exclude_nodes: tuple[str, ...] = ()
    gpu_model: str | None = None
    """A part of the name that its GPUs must have."""
    restartable: bool = False
    service: bool = False
    gpus: int = 0
    gpu_ids: tuple[int, ...] = ()
    gpu_arg: str | None = None
    cpus: int | None = None
    memory_mb: int | None = None
    share: bool = False
    no_sharing: bool = False
    gpu_memory_mb: int | None = None
    array: str | None = None
    nice: int = 0
    """How much its processes give way to others, for CPU and disk: 0 is an ordinary process, 19 the most."""
    time_limit_s: float | None = None
    grace_s: float = 10.0
    dependencies: tuple[Dependency, ...] = ()
    urgent: bool = False
    retries: int = 0
    retry_backoff_s: float = 10.0
    retry_on: frozenset[EndReason] = DEFAULT_RETRY_ON
    stdout: str | None = None
    stderr: str | None = None
    variables: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    """What its owner files it under; like the name, every user sees them."""
    description: str = ""
    wait_for_hardware: bool = False
    call: str | None = None
    """The digest of the Python call that its command runs, if it is one."""
    auto: Auto | None = None
    """Which of its numbers were left to Danlu; they are filled in."""
    stage: tuple[str, ...] = ()
    """What is copied to the disk of its node before its command starts there."""

    @property
    def ask(self) -> Ask:
        return make_ask(
            self.gpus,
            self.gpu_ids,
            self.cpus,
            self.memory_mb,
            self.node,
            share=self.share,
            no_sharing=self.no_sharing,
            gpu_memory_mb=self.gpu_memory_mb,
            nodes=self.nodes,
            nodes_min=self.nodes_min,
            spread=self.spread,
            only_nodes=self.only_nodes,
            exclude_nodes=self.exclude_nodes,
            gpu_model=self.gpu_model,
            stage=bool(self.stage),
        )

    @property
    def is_elastic(self) -> bool:
        return self.nodes_min is not None and self.nodes_min < self.nodes

    @property
    def is_gang(self) -> bool:
        """Whether its tasks are told of each other: they are gathered before the first of them starts."""
        return self.nodes > 1 or self.launcher is not Launcher.PLAIN

    @property
    def follows_first(self) -> bool:
        """Whether its command runs in the first task alone, while the others hold their places."""
        return self.launcher in (Launcher.MPI, Launcher.RAY)

    @property
    def may_move(self) -> bool:
        """Whether it may be run again elsewhere when a node of it is lost."""
        return self.restartable or self.service or self.is_elastic


class StopIntent(StrEnum):
    """What shall become of a job that is being stopped."""

    CANCEL = "cancel"
    KILL = "kill"
    """It is cancelled, and gets no grace."""
    REQUEUE = "requeue"
    GPU_FAULT = "gpu_fault"
    """A GPU of it is broken; the job's `detail` has the evidence until it has ended."""
    TASK_FAILED = "task_failed"
    """One of its tasks has ended badly; the others go with it."""
    TASK_DONE = "task_done"
    """The task that leads it has ended; the others held their places for that one."""
    NODE_LOST = "node_lost"
    """A node of it is lost, and what ran there stops by itself: it begins anew elsewhere."""
    RESIZE = "resize"
    """It shall go on with more nodes, or with fewer."""


CANCELLING = frozenset({StopIntent.CANCEL, StopIntent.KILL})


@dataclass(frozen=True, slots=True)
class Job:
    """A job and its present state. `version` grows with every change; writers name the one they saw."""

    id: int
    owner: str
    spec: JobSpec
    state: JobState
    version: int
    position: float
    submitted_at: float
    attempt: int = 0
    retries_used: int = 0
    not_before: float | None = None
    stop_intent: StopIntent | None = None
    started_at: float | None = None
    ended_at: float | None = None
    end_reason: EndReason | None = None
    exit_code: int | None = None
    signal: int | None = None
    detail: str = ""
    placed: Allocation | None = None
    """Where the first task of its current or last attempt runs or ran."""
    on_nodes: tuple[str, ...] = ()
    """Where all of its tasks run or ran, if there are several."""
    counts: ArrayCounts | None = None
    """How its elements fare, if it is an array."""
    node_faults: tuple[NodeFault, ...] = ()
    """Where it could not be set up since it last ran, by no fault of its own."""

    @property
    def is_array(self) -> bool:
        return self.spec.array is not None and not is_element(self.id)

    @property
    def grace_s(self) -> float:
        """How long its processes have between TERM and KILL if it is stopped now."""
        return 0.0 if self.stop_intent is StopIntent.KILL else self.spec.grace_s


@dataclass(frozen=True, slots=True)
class JobSummary:
    """A job as a line in a list: without its command and other long or private fields."""

    id: int
    owner: str
    name: str
    queue: str
    state: JobState
    position: float
    ask: Ask
    urgent: bool
    submitted_at: float
    attempt: int
    not_before: float | None
    started_at: float | None
    ended_at: float | None
    end_reason: EndReason | None
    exit_code: int | None
    signal: int | None
    placed: Allocation | None
    counts: ArrayCounts | None = None
    on_nodes: tuple[str, ...] = ()
    tags: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """One rank of an attempt: where it runs, what it holds there, and where its output goes.

    An empty path means the job's own log. `boot_id` is that of the node when the task was placed: a task
    never crosses a reboot.
    """

    rank: int
    allocation: Allocation
    stdout_path: str
    stderr_path: str
    boot_id: str
    address: str = ""
    """Where the other tasks of its attempt reach it; at `port` if it is the first of them."""
    port: int | None = None
    second_port: int | None = None
    leased: bool = False
    """Its node stops it by itself once the node's lease has run out."""
    started_at: float | None = None
    """Only of a task of several, as is its end: those of a single one are its attempt's."""
    end: TaskEnd | None = None
    begun_at: float = 0.0
    """When its attempt was made."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at running a job, numbered from 1."""

    job_id: int
    number: int
    created_at: float
    tasks: tuple[Task, ...]
    started_at: float | None = None
    ended_at: float | None = None
    end_reason: EndReason | None = None
    exit_code: int | None = None
    signal: int | None = None
    detail: str = ""
    used: Used = NOTHING
