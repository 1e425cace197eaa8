"""Who uses Danlu, and the groups that they are in."""

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
    """`unix_account` is the Linux account the user's jobs run as; None: none was mapped. `language`: that of
    messages to them; None: the lab's."""

    name: str
    role: Role
    created_at: float
    priority: float = 1.0
    locked: bool = False
    must_change_password: bool = False
    has_password: bool = False
    unix_account: str | None = None
    group: str | None = None
    full_name: str = ""
    student_id: str = ""
    email: str = ""
    language: str | None = None

    @property
    def is_admin(self) -> bool:
        return self.role is Role.ADMIN


@dataclass(frozen=True, slots=True)
class UserGroup:
    """`mentors` lead it; who is a member of it is said by the users themselves."""

    name: str
    created_at: float
    description: str = ""
    mentors: tuple[str, ...] = ()
