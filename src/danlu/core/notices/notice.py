"""Notices: what admins tell all users, or some roles, for a while."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from danlu.core.user import Role, User


class NoticeLevel(StrEnum):
    INFO = "info"
    WARNING = "warning"
    URGENT = "urgent"


_GRAVEST_FIRST = (NoticeLevel.URGENT, NoticeLevel.WARNING, NoticeLevel.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeContent:
    """What an admin says of a notice. The texts are Markdown; one of the two may be empty.

    `roles` are whom it is for: empty means all users. A public one is for all, and on the sign-in page.
    """

    text_en: str
    text_zh: str
    level: NoticeLevel
    begins_at: float
    ends_at: float | None
    roles: tuple[Role, ...]
    public: bool

    def is_shown_at(self, now: float) -> bool:
        return self.begins_at <= now and (self.ends_at is None or now < self.ends_at)

    def is_for(self, user: User | None) -> bool:
        """None: one who has not signed in."""
        if user is None:
            return self.public
        return not self.roles or user.role in self.roles


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    id: int
    content: NoticeContent
    created_by: str
    created_at: float


def notices_for(user: User | None, notices: Iterable[Notice], now: float) -> list[Notice]:
    """Those that this user is shown now: the gravest first, then the latest."""
    shown = [each for each in notices if each.content.is_for(user) and each.content.is_shown_at(now)]
    return sorted(shown, key=lambda each: (_GRAVEST_FIRST.index(each.content.level), -each.id))


def next_change_of(user: User | None, notices: Iterable[Notice], now: float) -> float | None:
    """When the next of them begins or ends by itself; None: not before an admin does something."""
    moments = (
        moment
        for each in notices
        if each.content.is_for(user)
        for moment in (each.content.begins_at, each.content.ends_at)
        if moment is not None and moment > now
    )
    return min(moments, default=None)
