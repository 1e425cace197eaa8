"""The record of everything that happened. One event for every change, written with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from danlu.core.user import User


class EventKind(StrEnum):
    SUBMITTED = "job.submitted"
    EDITED = "job.edited"
    MOVED = "job.moved"
    STATE = "job.state"
    STOP_CHANGED = "job.stop_changed"
    """One that is being stopped is cancelled after all, or gets no more grace."""
    TASK = "job.task"
    """One of several tasks of an attempt has started, or ended."""
    DEPENDENCY_DROPPED = "job.dependency_dropped"
    NODE_UP = "node.up"
    NODE_CHANGED = "node.changed"
    NODE_LOST = "node.lost"
    NODE_QUARANTINED = "node.quarantined"
    NODE_OUT_OF_SERVICE = "node.out_of_service"
    """The doctor, or tasks that could not be set up there, speak against it."""
    NODE_IN_SERVICE = "node.in_service"
    NODE_DECLARED_DEAD = "node.declared_dead"
    NODE_REMOVED = "node.removed"
    NODE_DRAINED = "node.drained"
    NODE_UNDRAINED = "node.undrained"
    GPU_DRAINED = "gpu.drained"
    GPU_UNDRAINED = "gpu.undrained"
    GPU_ADDED = "gpu.added"
    GPU_REMOVED = "gpu.removed"
    GPU_SLOTS = "gpu.slots"
    GPU_FAULT = "gpu.fault"
    GPU_RECOVERED = "gpu.recovered"
    SCHEDULING_CHANGED = "scheduling.changed"
    SETTINGS_CHANGED = "settings.changed"
    DISK_CHANGED = "disk.changed"
    """The disk of the server's data folder is full, or has room again."""
    USER_CHANGED = "user.changed"
    BACKUP_MADE = "backup.made"
    """An archive of everything went to an administrator."""


@dataclass(frozen=True, slots=True)
class Event:
    """`id` grows by time of commit; a reader that knows the last id it saw misses nothing."""

    id: int
    at: float
    kind: EventKind
    job_id: int | None = None
    attempt: int | None = None
    node: str | None = None
    actor: str | None = None
    data: dict[str, Any] = field(default_factory=dict)


def may_see(user: User, event: Event) -> bool:
    """Every user sees what happens to the queue and the nodes; what happens to a user's account, that user
    and administrators; who took a backup, administrators alone."""
    if user.is_admin:
        return True
    if event.kind is EventKind.USER_CHANGED:
        return bool(event.data.get("user") == user.name)
    return event.kind is not EventKind.BACKUP_MADE
