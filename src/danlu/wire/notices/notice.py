"""Notices on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Le, MaxLen, Predicate

from danlu.wire.accounts import Role
from danlu.wire.fields import STRICT, are_different, no_nul

LONGEST_TEXT = 5_000

NoticeLevelWord = Literal["info", "warning", "urgent"]
NoticeText = Annotated[str, MaxLen(LONGEST_TEXT), Predicate(no_nul)]
NoticeId = Annotated[int, Ge(1), Le(2**31 - 1)]
Moment = Annotated[float, Ge(0), Le(2**40)]
"""Seconds since 1970, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeFields:
    """What an admin says of a notice. The texts are Markdown, in English and in Chinese; a user whose
    language was left empty gets the other text."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    text_en: NoticeText = ""
    text_zh: NoticeText = ""
    level: NoticeLevelWord = "info"
    begins_at: Moment | None = None
    """null: at once; for one that is edited: as it was."""
    ends_at: Moment | None = None
    """null: it is shown until it is removed."""
    roles: Annotated[list[Role], MaxLen(4), Predicate(are_different)] = field(default_factory=list)
    """Whom it is for; empty: all users."""
    public: bool = False
    """Also on the sign-in page, for all who can reach the server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeRow:
    """A notice as its readers see it."""

    id: int
    level: NoticeLevelWord
    text_en: str
    text_zh: str
    begins_at: float
    ends_at: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownNoticeRows:
    """The gravest first. `changes_in_s`: ask again then, for one of them ends or another begins; null: not
    before an event tells of a change."""

    notices: list[NoticeRow]
    changes_in_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedNotice:
    """A notice as admins see it."""

    id: int
    level: NoticeLevelWord
    text_en: str
    text_zh: str
    begins_at: float
    ends_at: float | None
    roles: list[Role]
    public: bool
    created_by: str
    created_at: float
