"""The record of everything that happened. One event for every change, written with it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
    NODE_JOINED = "node.joined"
    """A machine was let in, by whose token."""
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
    NOTICE_CHANGED = "notice.changed"
    """A notice was posted, edited or removed. Only admins are told its texts: it may not be for all."""
    NOTICE_DISMISSED = "notice.dismissed"
    """A user wants to see a notice no more."""
    USER_CHANGED = "user.changed"
    SIGNED_IN = "user.signed_in"
    SIGN_IN_FAILED = "user.sign_in_failed"
    SIGNED_OUT = "user.signed_out"
    TOKEN_MADE = "token.made"  # noqa: S105 (a word, no secret)
    TOKEN_ENDED = "token.ended"  # noqa: S105 (a word, no secret)
    JOIN_TOKEN_MADE = "join_token.made"  # noqa: S105 (a word, no secret)
    JOIN_TOKEN_REVOKED = "join_token.revoked"  # noqa: S105 (a word, no secret)
    INSTALLATION_BEGUN = "installation.begun"
    """A machine is made a node over ssh, or nodes are upgraded."""
    SERVER_STOPPED = "server.stopped"
    SERVER_FORGOTTEN = "server.forgotten"
    LOCK_FREED = "lock.freed"
    """A user took a lock away from a job."""
    GROUP_CHANGED = "group.changed"
    BACKUP_MADE = "backup.made"
    """An archive of everything went to an administrator."""
    BACKUP_RESTORED = "backup.restored"
    DATABASE_REINSTATED = "database.reinstated"
    AUDIT_PRUNED = "audit.pruned"
    """Entries of the audit log were removed for their age."""


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


OF_ACCOUNTS = frozenset(
    {
        EventKind.USER_CHANGED,
        EventKind.SIGNED_IN,
        EventKind.SIGN_IN_FAILED,
        EventKind.SIGNED_OUT,
        EventKind.TOKEN_MADE,
        EventKind.TOKEN_ENDED,
    }
)
"""Their `user` is whose account it is."""
FOR_ADMINS = frozenset(
    {
        EventKind.JOIN_TOKEN_MADE,
        EventKind.JOIN_TOKEN_REVOKED,
        EventKind.INSTALLATION_BEGUN,
        EventKind.SERVER_STOPPED,
        EventKind.SERVER_FORGOTTEN,
        EventKind.LOCK_FREED,
        EventKind.GROUP_CHANGED,
        EventKind.BACKUP_MADE,
        EventKind.BACKUP_RESTORED,
        EventKind.DATABASE_REINSTATED,
        EventKind.AUDIT_PRUNED,
    }
)


def may_see(user: User, event: Event) -> bool:
    """Every user sees what happens to the queue and the nodes; what happens to a user's account, that user
    and administrators; what administrators do with the installation, administrators alone; which notice a
    user dismissed, that user alone."""
    if event.kind is EventKind.NOTICE_DISMISSED:
        return event.actor == user.name
    if user.is_admin:
        return True
    if event.kind in OF_ACCOUNTS:
        return bool(event.data.get("user") == user.name)
    return event.kind not in FOR_ADMINS


def shown_to(user: User, event: Event) -> Event | None:
    """An event as this user is told of it; None where it is not for them."""
    if not may_see(user, event):
        return None
    if event.kind is EventKind.NOTICE_CHANGED and not user.is_admin:
        return replace(event, actor=None, data={"notice": event.data.get("notice")})
    return event
