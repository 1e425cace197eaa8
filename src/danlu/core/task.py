"""Orders to a node and the facts it reports back, both keyed by (job, attempt, rank)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from danlu.core.bounds import Count, EndStatus, Host, Moment, Name, Number, Port, Prose, Rate
from danlu.core.job_id import label_of


class TaskKey(NamedTuple):
    """One rank of one attempt. The attempt number is the fencing token."""

    job: Number
    attempt: Number
    rank: Number

    def __str__(self) -> str:
        return f"{self.job}-{self.attempt}-{self.rank}"

    @property
    def label(self) -> str:
        """How people read it: with the id of the job as they know it."""
        return f"{label_of(self.job)}-{self.attempt}-{self.rank}"

    @classmethod
    def parse(cls, text: str) -> TaskKey:
        job, attempt, rank = text.split("-")
        return cls(int(job), int(attempt), int(rank))


@dataclass(frozen=True, slots=True)
class UnixAccount:
    """The Unix account that something is done as on a node. The server says which, so that an agent never has
    to guess; an agent that is root compares it with its own accounts, whose groups count there."""

    name: str
    uid: int
    gid: int
    groups: tuple[int, ...]
    home: str
    shell: str = "/bin/sh"
    is_servers_own: bool = False
    """The server runs as this account, and no admin mapped it: an agent that is not root does it as itself.
    Only so may it be root's: for the user who started a server that is root."""


@dataclass(frozen=True, slots=True)
class GangMember:
    """One task of an attempt over several nodes, as the others see it."""

    node: Name
    address: Host
    gpus: int


@dataclass(frozen=True, slots=True)
class Gang:
    """What the tasks of an attempt over several nodes know of each other, in the order of their ranks. The
    first of them listens at `port`, and at `second_port` where a launcher needs two."""

    members: tuple[GangMember, ...]
    port: Port
    second_port: Port
    launcher: str = "plain"


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a node says before a gang starts: that it is there, how others reach it, two free ports."""

    address: Host
    port: Port
    second_port: Port


@dataclass(frozen=True, slots=True)
class Staging:
    """What is copied to the node's own disk before a task starts: `paths`, below `folder` (empty: the usual
    place). When that disk is fuller than `disk_percent`, unused copies are removed from it."""

    paths: tuple[str, ...]
    folder: str = ""
    disk_percent: int = 90


@dataclass(frozen=True, slots=True)
class LaunchOrder:
    """All an agent needs to run one task. Launching is idempotent on `key`.

    `stdout` and `stderr` are paths the user chose (None: the job's own log at `log_path`);
    equal paths merge the streams. `account` None means: as the agent itself, which one that is root refuses.

    The node fills in the last two: `gpu_devices` are the minor numbers of the only GPU device files that the
    task may open (None: whichever it likes), `gpu_names` what CUDA calls its GPUs where not by their ids.
    """

    key: TaskKey
    node: str
    job_name: str
    user: str
    directory: str
    command: str
    arguments: tuple[str, ...] = ()
    environment: str | None = None
    gpu_ids: tuple[int, ...] = ()
    gpu_memory_mb: int = 0
    """What it asked for on each of its GPUs; 0: nothing was said."""
    gpu_arg: str | None = None
    nice: int = 0
    """See `JobSpec`. A node of an earlier version does not know it, and starts an ordinary process."""
    variables: dict[str, str] = field(default_factory=dict)
    stdout: str | None = None
    stderr: str | None = None
    log_path: str = ""
    time_limit_s: float | None = None
    grace_s: float = 10.0
    kill_leftovers: bool = True
    account: UnixAccount | None = None
    call_path: str | None = None
    """For a Python function: the file that says what to call, and the one that takes its result."""
    result_path: str | None = None
    gang: Gang | None = None
    """For a task of several: all of them."""
    leased: bool = False
    """It is stopped by its node itself once the node's lease has run out: another attempt may begin then."""
    checkpoint_dir: str | None = None
    """The same for all attempts of its job."""
    job_secret: str | None = None
    """Lets it use the locks and the key-value store of its owner; for it alone to read."""
    server: str | None = None
    """Where those are."""
    servers: tuple[str, ...] = ()
    """All that may be asked for them, where there are several: that one first."""
    begun_at: float = 0.0
    """When its attempt was made: no other has the same, be it of the same number."""
    staging: Staging | None = None
    """Only a node that `stages` gets one: another would start the task without it."""
    log_limit: int = 0
    """How many bytes of its own log are kept; 0: all."""
    cpus: float = 0
    """How many CPUs it may use at a time; 0: as many as there are. A node that has no cgroups for it, or is
    of an earlier version, starts it all the same."""
    memory_mb: int = 0
    """How much memory it may have, in the same way."""
    gpu_devices: tuple[int, ...] | None = None
    gpu_names: tuple[str, ...] = ()


class TaskEnding(StrEnum):
    """How a task came to its end, as its node saw it."""

    EXITED = "exited"
    TIME_LIMIT = "time_limit"
    STOPPED = "stopped"
    NEVER_STARTED = "never_started"
    SETUP_FAILED = "setup_failed"
    VANISHED = "vanished"
    REBOOTED = "rebooted"
    LEASE_LOST = "lease_lost"
    """Its node stopped it: it had not heard from the control side for too long."""
    OUT_OF_MEMORY = "out_of_memory"
    """The kernel killed it, or a process of it, for want of memory."""
    NODE_LOST = "node_lost"
    """Its end was not seen: its node is gone, and whatever ran there must have stopped by now."""


@dataclass(frozen=True, slots=True)
class TaskEnd:
    """The end of a task. `wait_status` is the raw one, so that `exit 137` and SIGKILL differ.

    `problem` names, for SETUP_FAILED, the EndReason; `detail` says it in the system's own words.
    """

    ending: TaskEnding
    ended_at: Moment
    wait_status: EndStatus | None = None
    problem: Name | None = None
    detail: Prose = ""
    cpu_s: Rate | None = None
    """The CPU time of all its processes; None where its node did not count it."""
    peak_memory_mb: Count | None = None
    """The most memory that it had at a time: all of it where its group is told, else its largest process."""


@dataclass(frozen=True, slots=True)
class OutputPlace:
    """Where the output of a task began in a file that its user named, and which file that was: `inode` on
    `filesystem`, as far as that can be told."""

    inode: Number
    filesystem: Name
    offset: Number


@dataclass(frozen=True, slots=True)
class TaskFact:
    """What a node knows of a task it was ordered to run."""

    key: TaskKey
    node: Name
    started_at: Moment | None = None
    end: TaskEnd | None = None
    stdout_at: OutputPlace | None = None
    """Once it has started, where its output goes to a named file."""
    stderr_at: OutputPlace | None = None


@dataclass(frozen=True, slots=True)
class LogChunk:
    """A piece of a log file. `size` is the file's size when it was read.

    Data that are side by side in it: what lies behind a hole begins further on than was asked for.
    """

    data: bytes
    offset: Number
    size: Number
    inode: Number = field(default=0, compare=False)
    """Which file it was; 0 where the node does not say."""
    cut: tuple[int, int] | None = field(default=None, compare=False)
    """The first hole in the file, from where to where: it was cut there."""
    held: int | None = field(default=None, compare=False)
    """How many bytes there are without all holes, in a file that has one."""
    replaced: bool = field(default=False, compare=False)
    """The file is another by now, or was truncated, so that it cannot be told whose its parts are."""

    @property
    def end(self) -> int:
        return self.offset + len(self.data)
