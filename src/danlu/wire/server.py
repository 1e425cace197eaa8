"""The server itself on the wire: its version, its scheduling, its stream of events, its errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from danlu.core.events import EventKind
from danlu.wire.fields import STRICT

Ordering = Literal["fifo", "balance"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """The one shape of every error."""

    code: str
    message: str
    field: str | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    name: str
    version: str
    api: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    policy: Ordering
    paused: bool
    paused_at: float | None = None
    """Since when; null while it runs, and where that was not noted."""
    paused_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulingEdit:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    policy: Ordering | None = None
    paused: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """What a scheduling pass did: how many jobs it started, and how many wait on."""

    started: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupRequest:
    """`with_logs` adds the output that Danlu keeps, and what functions returned."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    with_logs: bool = False


LeftOutReason = Literal["unreachable", "broken_off", "unreadable", "hole"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutRow:
    """Files that belong into a backup and are not in it: how many of a node, and why."""

    node: str
    reason: LeftOutReason
    files: int
    first: str
    """One of them. The manifest in the archive names all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupRow:
    """What is known of the backup that was made last."""

    created_at: float
    files: int
    bytes: int
    """Of all files together, before they are compressed."""
    left_out: list[LeftOutRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupMade:
    """A backup that an admin took. Danlu keeps none itself: where the archive lies, its maker knows."""

    at: float
    by: str | None
    bytes: int
    """Of the archive."""
    files: int
    with_logs: bool
    left_out: int
    """How many files are not in it that belong there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The cluster in a few numbers."""

    waiting: int
    running: int
    nodes_up: int
    nodes: int
    gpus: int
    gpus_used: int
    paused: bool
    policy: Ordering
    disk_full: bool = False
    """The disk of the server's data folder is full: no jobs are taken or started."""


ServerRole = Literal["leader", "standby", "lost"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRow:
    """A server of this installation: the one that leads, one that takes over from it, or one that is lost."""

    url: str
    role: ServerRole
    since: float
    """When it began to lead, or to stand by; when a lost one was last heard."""
    fingerprint: str | None = None
    """Of its key, where it has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRequest:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    stop_jobs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    id: int
    at: float
    kind: EventKind
    job: int | None
    index: int | None = None
    """Of the element, if it happened to an element of an array."""
    attempt: int | None
    node: str | None
    actor: str | None
    data: dict[str, Any]
