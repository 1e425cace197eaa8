"""Which events are acts that the audit log keeps, and what an entry says of one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from danlu.core.events import Event, EventKind
from danlu.core.job import CANCELLING
from danlu.core.job_id import label_of
from danlu.core.origin import Origin
from danlu.core.states import JobState


class Kept(Enum):
    NEVER = "never"
    """What the cluster does by itself, and what users do with their own jobs every day."""
    OF_OTHERS = "of others"
    """What is done to a job by another than its owner; and the deletion of a job by any user."""
    BY_A_USER = "by a user"
    ALWAYS = "always"
    """Also where no user is known."""


RULES: dict[EventKind, Kept] = {
    EventKind.SUBMITTED: Kept.NEVER,
    EventKind.EDITED: Kept.OF_OTHERS,
    EventKind.STATE: Kept.OF_OTHERS,
    EventKind.STOP_CHANGED: Kept.OF_OTHERS,
    EventKind.TASK: Kept.NEVER,
    EventKind.DEPENDENCY_DROPPED: Kept.NEVER,
    EventKind.NODE_UP: Kept.NEVER,
    EventKind.NODE_LOST: Kept.NEVER,
    EventKind.NODE_QUARANTINED: Kept.NEVER,
    EventKind.NODE_OUT_OF_SERVICE: Kept.NEVER,
    EventKind.NODE_IN_SERVICE: Kept.NEVER,
    EventKind.GPU_FAULT: Kept.NEVER,
    EventKind.GPU_RECOVERED: Kept.NEVER,
    EventKind.DISK_CHANGED: Kept.NEVER,
    EventKind.NOTICE_DISMISSED: Kept.NEVER,
    EventKind.SIGN_IN_FAILED: Kept.ALWAYS,
    EventKind.AUDIT_PRUNED: Kept.ALWAYS,
}
"""An event that is not named here is kept where a user caused it: a new one is, unless this table says why
not."""

_ACTIONS = {
    JobState.DELETED: "job.deleted",
    JobState.CANCELLED: "job.cancelled",
    JobState.HELD: "job.held",
    JobState.WAITING: "job.released",
}

OF_JOBS = ("owner", "before", "after", "place", "intent")
"""What an entry keeps of a job's event. Its name and its command are the owner's, and go with the job."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """`target` is what was acted on: a job's number, a node, a user, … by `target_kind`. `before` and `after`
    are what changed, where something has a value to compare; `details` is what else there is to say."""

    id: int
    at: float
    actor: str | None
    via: str
    address: str
    action: str
    target_kind: str
    target: str
    before: Any = None
    after: Any = None
    details: dict[str, Any] | None = None


def is_kept(event: Event) -> bool:
    rule = RULES.get(event.kind, Kept.BY_A_USER)
    if rule is Kept.NEVER or (event.actor is None and rule is not Kept.ALWAYS):
        return False
    if rule is not Kept.OF_OTHERS:
        # What a user's jobs take where the user says nothing is no matter of rights.
        return event.kind is not EventKind.USER_CHANGED or event.data.get("change") != ["defaults"]
    return event.actor != event.data.get("owner") or event.data.get("after") == JobState.DELETED


def entry_of(event: Event, origin: Origin) -> AuditEntry:
    """The entry of an event that is kept; the store gives it its number."""
    kind, target = _target_of(event)
    data = event.data
    if event.job_id is not None:
        data = {name: value for name, value in data.items() if name in OF_JOBS}
    details = {
        name: value
        for name, value in data.items()
        if name not in ("before", "after", "gpu") and not (name == kind and value == target)
    }
    return AuditEntry(
        id=0,
        at=event.at,
        actor=event.actor,
        via=origin.via.value,
        address=origin.address,
        action=action_of(event),
        target_kind=kind,
        target=target,
        before=data.get("before"),
        after=data.get("after"),
        details=details,
    )


def action_of(event: Event) -> str:
    """What was done, by the kind of its event; of a job by what became of it."""
    if event.kind is not EventKind.STATE:
        return event.kind.value
    after = event.data["after"]
    if after == JobState.STOPPING:
        return "job.cancelled" if event.data.get("intent") in CANCELLING else event.kind.value
    return _ACTIONS.get(after, event.kind.value)


def _target_of(event: Event) -> tuple[str, str]:
    if event.job_id is not None:
        return "job", label_of(event.job_id)
    if event.node is not None:
        gpu = event.data.get("gpu")
        return ("node", event.node) if gpu is None else ("gpu", f"{event.node}/{gpu}")
    kind = event.kind.value.partition(".")[0]
    named = event.data.get(kind, event.data.get("name"))
    return kind, "" if named is None else str(named)
