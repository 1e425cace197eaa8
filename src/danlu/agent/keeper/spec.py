"""What the keeper is told, what it keeps on disk, and what it says: plain JSON objects with names."""

from __future__ import annotations

from typing import NotRequired, TypedDict

LONGEST_REQUEST = 16 << 20
"""In bytes, as one line of JSON. The keeper hangs up on a client that sends more."""


class AccountSpec(TypedDict):
    name: str
    uid: int
    gid: int
    groups: list[int]
    home: str
    shell: str
    is_servers_own: NotRequired[bool]


class MemberSpec(TypedDict):
    node: str
    address: str
    gpus: int


class GangSpec(TypedDict):
    """The tasks of an attempt, in the order of their ranks; see `danlu.core.task.Gang`."""

    members: list[MemberSpec]
    port: int
    second_port: int
    launcher: str


class StagedPath(TypedDict):
    """What is to be copied, and the name of its place among the copies: keepers do not hash."""

    path: str
    entry: str


class StagingSpec(TypedDict):
    """See `danlu.core.task.Staging`. Only the tasks of its attempt know `proof`."""

    paths: list[StagedPath]
    folder: str
    disk_percent: int
    proof: str


class Order(TypedDict):
    """A launch order as it arrives over the socket; see `danlu.core.task.LaunchOrder`."""

    key: str
    node: str
    job_name: str
    user: str
    directory: str
    command: str
    arguments: list[str]
    environment: str | None
    environment_roots: list[str]
    gpu_ids: list[int]
    gpu_memory_mb: NotRequired[int]
    gpu_arg: str | None
    nice: NotRequired[int]
    variables: dict[str, str]
    stdout: str | None
    stderr: str | None
    log_path: str
    time_limit_s: float | None
    grace_s: float
    kill_leftovers: bool
    account: AccountSpec | None
    call_path: NotRequired[str | None]
    result_path: NotRequired[str | None]
    gang: NotRequired[GangSpec | None]
    leased: NotRequired[bool]
    checkpoint_dir: NotRequired[str | None]
    job_secret: NotRequired[str | None]
    server: NotRequired[str | None]
    servers: NotRequired[list[str]]
    staging: NotRequired[StagingSpec | None]
    gpu_devices: NotRequired[list[int] | None]
    gpu_names: NotRequired[list[str]]
    log_limit: NotRequired[int]
    cpus: NotRequired[float]
    memory_mb: NotRequired[int]


class Spec(TypedDict):
    """`spec.json`: the order and what a later keeper needs to find the task's processes again.

    `order` is None for a task that was stopped before its launch arrived. `folder` identifies the folder
    that the record was made in (earlier keepers did not write it): in a copy of it the record is foreign.
    """

    key: str
    node: str
    folder: NotRequired[str]
    boot_id: str
    token: str
    group_mode: str
    group_path: str
    guard_mode: NotRequired[str]
    guard_path: NotRequired[str]
    cpu_mode: NotRequired[str]
    cpu_path: NotRequired[str]
    memory_mode: NotRequired[str]
    memory_path: NotRequired[str]
    script_path: str
    lease_path: NotRequired[str]
    label: NotRequired[str]
    stage_places: NotRequired[str]
    order: Order | None


class End(TypedDict):
    """`end`: how the task ended; see `danlu.core.task.TaskEnd`."""

    ending: str
    ended_at: float
    wait_status: int | None
    problem: str | None
    detail: str
    started_at: float | None
    cpu_s: NotRequired[float | None]
    peak_memory_mb: NotRequired[int | None]


class OutputStart(TypedDict):
    """Where the output of a task began in a file; see `danlu.core.task.OutputPlace`."""

    inode: int
    filesystem: str
    offset: int


Places = dict[str, OutputStart]
"""By the names of the streams, of those that go to files which the user named."""


class Fact(TypedDict):
    """What clients are told of a task."""

    key: str
    node: str
    started_at: float | None
    end: End | None
    outputs: NotRequired[Places | None]


class About(TypedDict):
    """What the keeper tells of itself."""

    device_guard: str
    keeps_leases: bool
    stages: bool
    checks_accounts: bool
    cpu_guard: str
    memory_guard: str
    limits_tasks: bool


def marker(spec: Spec) -> str:
    """The variable by which processes of this task, and of no other, can be found."""
    return f"DANLU_TASK={spec['key']}:{spec['token']}"
