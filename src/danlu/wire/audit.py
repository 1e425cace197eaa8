"""The audit log on the wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le, MaxLen, MinLen, Predicate

from danlu.wire.fields import no_control_characters

AuditFormat = Literal["csv", "jsonl"]
AuditWord = Annotated[str, MinLen(1), MaxLen(200), Predicate(no_control_characters)]
AuditMoment = Annotated[float, Ge(0), Le(1e12)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditQuery:
    """What is not given narrows nothing."""

    actor: AuditWord | None = None
    """Who did it."""
    action: AuditWord | None = None
    """A whole action, as `user.changed`, or its first word."""
    target: AuditWord | None = None
    """What it was done to: a job's number, a node, a user, …, or the kind of it (`job`)."""
    since: AuditMoment | None = None
    until: AuditMoment | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """`before` and `after` are what changed, where there are values to compare."""

    id: int
    at: float
    actor: str | None
    """Null where no user is known, as for a sign-in that failed."""
    via: str
    """How who did it was known: `session` of a browser, `token`, `local` (the command line beside the data
    folder), `sign-in` (a password or link was just shown), or `server` (no request)."""
    address: str
    action: str
    title: str
    """The action in the language that was asked for."""
    target_kind: str
    target: str
    before: Any
    after: Any
    details: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """The newest first. `next` fetches what is older; null at the end."""

    entries: list[AuditRow]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditActionRow:
    action: str
    title: str
