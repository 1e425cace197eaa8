"""Who uses Danlu, and what they may do with whose jobs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    MEMBER = "member"
    MENTOR = "mentor"
    ADMIN = "admin"
    VIEWER = "viewer"


@dataclass(frozen=True, slots=True)
class User:
    """`unix_account` is the Linux account the user's jobs run as; None: none was mapped."""

    name: str
    role: Role
    created_at: float
    priority: float = 1.0
    locked: bool = False
    must_change_password: bool = False
    has_password: bool = False
    mentor: str | None = None
    unix_account: str | None = None

    @property
    def is_admin(self) -> bool:
        return self.role is Role.ADMIN


def may_touch(user: User, owner: str, owners_mentor: str | None) -> bool:
    """Commands, logs, files and fate of a job belong to its owner, the owner's mentor and admins."""
    return user.is_admin or user.name == owner or (owners_mentor is not None and user.name == owners_mentor)
