"""Jobs on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Gt, Le, MaxLen, MinLen, Predicate

from danlu.core.job import Launcher
from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnding
from danlu.wire.fields import (
    STRICT,
    Argument,
    CommandText,
    Count,
    CountOrAuto,
    Digest,
    GpuIndex,
    JobId,
    Megabytes,
    Name,
    Niceness,
    NodeName,
    PathText,
    Seconds,
    ShortText,
    TagKey,
    TagValue,
    Text,
    VariableName,
    are_different,
)
from danlu.wire.server import Problem

Area = Literal["waiting", "running", "history"]
JobSort = Literal["newest", "oldest", "longest", "name", "owner"]
JobAction = Literal["cancel", "hold", "release", "delete", "resubmit"]
RunningSuccessors = Literal["refuse", "leave", "cancel"]
"""What shall become of running successors when a job is deleted with its successors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFields:
    """What can be said about a job. A field left out takes the user's default, then Danlu's."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    command: CommandText | None = None
    arguments: Annotated[list[Argument], MaxLen(1000)] | None = None
    name: Name | None = None
    directory: PathText | None = None
    environment: PathText | None = None
    node: NodeName | None = None
    nodes: ShortText | None = None
    """On how many nodes it runs, one task on each: `2`, or `1:4` for at least one and at most four;
    `auto`: on as many as there are."""
    launcher: Launcher | None = None
    """What its tasks are prepared for, so that they find each other."""
    spread: bool | None = None
    """On the nodes that have most to spare, instead of those that have least."""
    only_nodes: Annotated[list[NodeName], MaxLen(1024)] | None = None
    exclude_nodes: Annotated[list[NodeName], MaxLen(1024)] | None = None
    gpu_model: ShortText | None = None
    """A part of the name that its GPUs must have: `A100`."""
    restartable: bool | None = None
    """It may be ended and run again elsewhere when its node is lost."""
    service: bool | None = None
    """It is kept running until a user cancels it."""
    gpus: CountOrAuto | None = None
    """On each of its nodes; 0: it runs on the CPU; `auto`: as many as its memory takes, or as are free."""
    gpu_ids: Annotated[list[GpuIndex], MaxLen(1024), Predicate(are_different)] | None = None
    gpu_arg: ShortText | None = None
    cpus: Count | None = None
    memory_mb: Megabytes | None = None
    share: bool | None = None
    """Join a GPU that others use, instead of waiting for a free one."""
    no_sharing: bool | None = None
    """Let no other job join its GPUs, and take none of which another has a slot."""
    gpu_memory_mb: Megabytes | None = None
    """What it needs on each GPU; where their number is `auto`, what one copy of its model takes."""
    stage: Annotated[list[PathText], MaxLen(64)] | None = None
    """Files and folders that are copied to the disk of its node before it starts: below `$DANLU_STAGED`."""
    array: ShortText | None = None
    """The indices of an array, and perhaps how many run at a time: `0-99%10`."""
    nice: Niceness | None = None
    """How much its processes give way to others, for CPU and disk: 0 not at all, 19 the most."""
    time_limit_s: Annotated[float, Gt(0), Le(10 * 366 * 86_400)] | None = None
    grace_s: Annotated[float, Ge(0), Le(3600)] | None = None
    after: Annotated[list[JobId], MaxLen(1000)] | None = None
    after_ok: Annotated[list[JobId], MaxLen(1000)] | None = None
    urgent: bool | None = None
    hold: bool | None = None
    retries: Annotated[int, Ge(0), Le(1000)] | None = None
    retry_backoff_s: Seconds | None = None
    retry_on: Annotated[list[EndReason], MaxLen(50)] | None = None
    stdout: PathText | None = None
    stderr: PathText | None = None
    variables: Annotated[dict[VariableName, Argument], MaxLen(1000)] | None = None
    tags: Annotated[dict[TagKey, TagValue], MaxLen(20)] | None = None
    """What to find it by in lists: `{"project": "vit"}`. Every user sees them, as they see its name."""
    description: Text | None = None
    wait_for_hardware: bool | None = None
    call: Digest | None = None
    """What `POST /calls` answered: the Python call that the command runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobEdit:
    """A change of a job (or of a user's defaults): fields to set, and names of fields to set back."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    set: JobFields = field(default_factory=JobFields)
    clear: Annotated[list[ShortText], MaxLen(50)] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveRequest:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    position: Annotated[int, Ge(1), Le(2**31)]
    """In the list of all that wait, held ones among them; 1 is its top."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSubmitted:
    id: int
    gpus: int | None = None
    """How many GPUs it asks for on each of its nodes; 0: it runs on the CPU. Null of a copy: as before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """One reason why a job waits: its code and facts for programs, a sentence for people."""

    code: str
    facts: dict[str, Any]
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRow:
    rank: int
    node: str
    gpu_ids: list[int]
    cpus: int
    memory_mb: int
    stdout_path: str | None = None
    """Where its output is; None when it is discarded or when you may not know."""
    stderr_path: str | None = None
    started_at: float | None = None
    ended_at: float | None = None
    ending: TaskEnding | None = None
    """How it came to its end, where its attempt has several tasks."""
    exit_code: int | None = None
    signal: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedRow:
    """What was used; null: it was not counted. Of several tasks, attempts or elements: CPU and GPU time of
    all together, the greatest peak of one task, and means in proportion to the GPU time."""

    cpu_s: float | None = None
    """The CPU time of all processes."""
    peak_memory_mb: int | None = None
    """The most memory that one task had at a time; where no cgroup tells, that of its largest process."""
    gpu_s: float | None = None
    """How long it held GPUs, times their number."""
    gpu_load: float | None = None
    """In percent: the mean, and below it the most that was seen of one GPU."""
    gpu_load_peak: int | None = None
    gpu_memory_mb: int | None = None
    """Of each GPU: the mean, and below it the most that was seen of one."""
    gpu_memory_peak_mb: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRow:
    number: int
    created_at: float
    started_at: float | None = None
    ended_at: float | None = None
    end_reason: EndReason | None = None
    exit_code: int | None = None
    signal: int | None = None
    detail: str = ""
    tasks: list[TaskRow] = field(default_factory=list)
    used: UsedRow | None = None
    """What it used, once it has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayRow:
    """How the elements of an array fare."""

    total: int
    waiting: int
    active: int
    succeeded: int
    failed: int
    cancelled: int
    at_most: int | None = None
    """How many may run at a time; null: as many as fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """What every user may see of a job, or of one element of an array."""

    id: int
    """Of an element: its array's."""
    ref: str
    """How it is written everywhere: `12`, or `12[3]` for an element of an array."""
    index: int | None = None
    """Of an element in its array."""
    array: ArrayRow | None = None
    name: str
    tags: dict[str, str] = field(default_factory=dict)
    owner: str
    state: JobState
    area: Area
    queue: str
    gpus: int
    cpus: int
    memory_mb: int
    share: bool = False
    gpu_memory_mb: int = 0
    urgent: bool
    submitted_at: float
    attempt: int
    node: str | None = None
    """The node it runs or ran on; while waiting, the one it asks for."""
    nodes: int = 1
    """On how many nodes it runs at most, and (`nodes_min`) at least."""
    nodes_min: int = 1
    on_nodes: list[str] = field(default_factory=list)
    """All nodes it runs or ran on, in the order of its tasks; `node` is the first of them."""
    unreachable_since: float | None = None
    """It is under way on a node that cannot be reached."""
    gpu_ids: list[int] = field(default_factory=list)
    """The GPUs it runs or ran on; while waiting, those it asks for. Of several tasks, the first's."""
    started_at: float | None = None
    ended_at: float | None = None
    end_reason: EndReason | None = None
    exit_code: int | None = None
    signal: int | None = None
    why: list[Why] = field(default_factory=list)
    place: int | None = None
    """Its place in the queue, 1 at the head: among the jobs of all users that wait for free GPUs,
    in the order in which the scheduler takes them. A job that is held, that waits for another one, or that
    needs no free GPU has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobDetail:
    """All about one job. `fields` and `detail` are the owner's: null for others."""

    job: JobRow
    fields: JobFields | None
    detail: str
    message: str
    """Its end, or why it waits, in one sentence; empty while it runs."""
    after: list[int]
    after_ok: list[int]
    successors: list[int]
    attempts: list[AttemptRow]
    mine: bool
    may: list[Literal["read", "stop", "change"]] = field(default_factory=list)
    """What you may do with it: `stop` is to cancel, hold and release it, `change` to edit, resubmit and
    delete it. Earlier servers do not say."""
    not_before: float | None = None
    retries_used: int = 0
    auto: str = ""
    """What Danlu chose where that was left to it, and why, in one sentence."""
    position: int | None = None
    """Where a job that was just moved stands in the list of all that wait; null in other answers."""
    used: UsedRow | None = None
    """What all its attempts have used that have ended; of an array, those of its elements."""
    not_held_to: list[Literal["cpus", "memory"]] = field(default_factory=list)
    """What it asked for while a node that it runs on cannot hold it to that: it may use more there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPage:
    """One page of a list. `next` fetches the following page; null at the end."""

    jobs: list[JobRow]
    next: str | None
    counts: dict[Area, int]
    counts_exact: bool = True
    """False: there are at least so many. A search that finds very many stops counting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementPage:
    """Elements of an array in the order of their indices. `next` is where the following page begins; null at
    the end."""

    elements: list[JobRow]
    next: int | None


MOST_IN_BATCH = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchSubmitted:
    """Their ids, in the order of the request, and how many GPUs each asks for on each of its nodes."""

    ids: list[int]
    gpus: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyAnswer:
    id: int
    state: JobState
    why: list[Why]
    message: str
    ref: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """`left` are successors that were running and were left alone; `cancelled` those being stopped."""

    deleted: list[int]
    left: list[int]
    cancelled: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobActions:
    """The same wish for many jobs, each on its own: one that is refused holds up none of the others."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    action: JobAction
    jobs: Annotated[list[ShortText], MinLen(1), MaxLen(1000)]
    """As they are written: `12`, or `12[3]` for an element of an array."""
    with_successors: bool = False
    running: RunningSuccessors = "refuse"
    now: bool = False
    """Of `cancel`: without their grace, or what is left of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobActionResult:
    ref: str
    ok: bool
    id: int | None = None
    """Of the copy, where one was made."""
    problem: Problem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobActionsDone:
    """One result for each job of the request, in its order."""

    results: list[JobActionResult]
