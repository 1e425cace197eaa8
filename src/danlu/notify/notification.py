"""From an event to what a person is told of it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from danlu.core.events import Event, EventKind
from danlu.core.job_id import is_element, label_of
from danlu.core.states import JobState
from danlu.wording.catalogue import Language, say

LISTENED = frozenset({EventKind.STATE})
"""The kinds of events that may become a notification."""


class NotificationKind(StrEnum):
    STARTED = "started"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


_KINDS = {
    JobState.RUNNING.value: NotificationKind.STARTED,
    JobState.SUCCEEDED.value: NotificationKind.SUCCEEDED,
    JobState.FAILED.value: NotificationKind.FAILED,
    JobState.CANCELLED.value: NotificationKind.CANCELLED,
}


@dataclass(frozen=True, slots=True)
class Notification:
    """What one user is told, in their language; `facts` are for channels that tell programs."""

    user: str
    language: Language
    kind: NotificationKind
    title: str
    body: str
    facts: Mapping[str, Any] = field(default_factory=dict)


def notification_of(event: Event, language_of: Callable[[str], Language]) -> Notification | None:
    """What the owner of a job is told of an event; None where that is nothing. An array is told of as a
    whole: its elements may be thousands."""
    kind = _KINDS.get(event.data.get("after", ""))
    if event.kind not in LISTENED or kind is None or event.job_id is None or is_element(event.job_id):
        return None
    owner = str(event.data["owner"])
    language = language_of(owner)
    facts = {
        "job": label_of(event.job_id),
        "attempt": event.attempt,
        "state": event.data["after"],
        "end_reason": event.data.get("end_reason"),
        "actor": event.actor,
        "at": event.at,
    }
    return Notification(
        owner,
        language,
        kind,
        say(language, f"notifications.{kind}", job=facts["job"]),
        say(language, f"notifications.{kind}.body", job=facts["job"]),
        facts,
    )
