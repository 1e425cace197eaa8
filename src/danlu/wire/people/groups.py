"""Groups of users on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from annotated_types import MaxLen, Predicate

from danlu.wire.fields import STRICT, ShortText, UserName, are_different

MOST_NAMED = 1000
UserNames = Annotated[list[UserName], MaxLen(MOST_NAMED), Predicate(are_different)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGroup:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    name: UserName
    description: ShortText = ""
    mentors: UserNames = field(default_factory=list)
    members: UserNames = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupEdit:
    """Only what is given changes; `mentors` are then those named and no others."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    description: ShortText | None = None
    mentors: UserNames | None = None
    add_members: UserNames = field(default_factory=list)
    """Who is in another group leaves that."""
    remove_members: UserNames = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMember:
    name: str
    full_name: str
    locked: bool
    waiting: int
    """How many jobs of theirs wait."""
    running: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    name: str
    description: str
    mentors: list[str]
    members: list[GroupMember]
    led_by_you: bool
