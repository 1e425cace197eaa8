"""Locks and the key-value store on the wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from annotated_types import Ge, Le, MaxLen, MinLen, Predicate

from danlu.wire.fields import STRICT, Name, is_not_blank, no_control_characters, no_nul

LONGEST_WAIT_S = 30.0
"""How long the server holds one request for a lock; who wants to wait longer asks again."""

LockName = Name
HolderName = Annotated[str, MinLen(1), MaxLen(64), Predicate(no_control_characters), Predicate(is_not_blank)]
Fence = Annotated[int, Ge(1), Le(2**53)]
Revision = Annotated[int, Ge(0), Le(2**53)]
Lifetime = Annotated[float, Ge(1), Le(86_400)]


@dataclass(frozen=True, slots=True, kw_only=True)
class LockRequest:
    """`holder` is a name of your own making for this one wish: asking again under it gives the same grant."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    name: LockName
    holder: HolderName
    wait_s: Annotated[float, Ge(0), Le(LONGEST_WAIT_S)] = 0.0
    lifetime_s: Lifetime | None = None
    """After which it is free again unless it is renewed. Left out by a job: as long as its attempt lasts; by
    other clients: 30 seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockRenewal:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    name: LockName
    fence: Fence
    lifetime_s: Lifetime = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LockRelease:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    name: LockName
    fence: Fence


@dataclass(frozen=True, slots=True, kw_only=True)
class LockRow:
    """A lock that is held. `fence` is larger than that of every grant before."""

    owner: str
    name: str
    fence: int
    taken_at: float
    expires_at: float | None = None
    job: str | None = None
    """The job that holds it, as it is written: `12`, or `12[3]`; null: a person."""
    attempt: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LockReleased:
    held: bool
    """It was still held until now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewValue:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    value: Annotated[str, MaxLen(65_536), Predicate(no_nul)]
    if_revision: Revision | None = None
    """Only if this is the revision still; 0: only if there is no such key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyValue:
    key: str
    value: str
    revision: int
    """Grows with every change."""
    changed_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRow:
    key: str
    size: int
    """In bytes."""
    revision: int
    changed_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyDeleted:
    deleted: bool
    """There was such a key."""
